/**
 * How toolkits differ when they are read, in one table. How they differ in actions is in `act/actions-by-toolkit.ts`. Every
 * entry was measured on real apps (docs/drivers.md). If a newer version makes an entry wrong, change it here.
 */
export type ToolkitName = 'gtk3' | 'gtk4' | 'qt' | 'libreoffice' | 'chromium' | 'gecko' | 'swing' | 'other';

export interface Toolkit {
  name: ToolkitName;
  /** Offers a private socket: fewer hops, and the full bus queues of other clients do not matter. */
  peerToPeer: boolean;
  /** `state`: SHOWING is reliable. `geometry`: only VISIBLE, the size and the scrolling ancestors are (GTK 4). */
  showingBy: 'state' | 'geometry';
  /** GTK 4 knows positions only relative to its window. */
  coordinates: 'screen' | 'window';
  /**
   * The state bit for "enabled". GTK 4 sets only SENSITIVE, and does not clear it on children of an insensitive parent.
   */
  enabledBy: 'enabled' | 'sensitive';
  /** GTK 4.8 reports class names (GtkEntry) and doubled labels ("7 7") as names. */
  classNamesAsNames: boolean;
  /** A dead object answers with no states instead of an error. */
  deadHasNoStates: boolean;
  /** Text positions count UTF-16 units instead of characters: an emoji counts as two. */
  textInUtf16: boolean;
  /** The name of a combo box is the text of its current item. */
  comboNameIsValue: boolean;
  /** Every button reports whether it is the default one of its dialog (IS_DEFAULT). */
  reportsDefault: boolean;
  /** How long after a change the tree may still show the old state, without a further event. */
  lagMs: number;
  /** How long after a redraw the tree may still show the old state on a busy machine. */
  drawsAheadMs: number;
  /** The tooltip of a tool button is the description of the box around it. */
  tooltipOnParent: boolean;
  /** How long the buttons of a new dialog ignore clicks, by mouse and by action, to give the user time to read it. */
  dialogIgnoresClicksMs: number;
  /** Numbers are transferred as 32-bit floats in both directions: 12.34 arrives as 12.34000015258789. */
  numbersIn32Bits: boolean;
  /** Scrolling areas have the role filler. No filler draws outside its bounds. */
  fillersClip: boolean;
  /**
   * Texts are not elements: the text of a container holds a placeholder character at the position of each child. Without
   * reading it, words beside controls would be missing.
   */
  textInContainers: boolean;
  /**
   * SHOWING comes from a hit test of the page. A box that nothing can hit (no size, moved by a transform, ignored by the
   * pointer) is reported as not showing, although elements inside it show.
   */
  hiddenBoxesMayShow: boolean;
  /**
   * Asks the registry about each key (NotifyListenersSync) and handles the key when the answer is there. Meanwhile it
   * answers pings and reads: after one Space, Qt 5.15 on a busy machine still had the old name.
   */
  asksAboutKeys: boolean;
  /**
   * Items of lists and trees have the role of what draws them, which is a label. A field may not point to its label,
   * although the label points to the field. What was removed keeps its states and only loses its parent. Numbers can be
   * stepped by actions, but not written. All of it measured in Java's wrapper 0.40 (Swing).
   */
  drawnByLabels: boolean;
  /** How many calls the app may have to answer at once. Absent: as many as to any app. */
  callsInFlight?: number;
}

const COMMON: Omit<Toolkit, 'name'> = {
  peerToPeer: true,
  showingBy: 'state',
  coordinates: 'screen',
  enabledBy: 'enabled',
  classNamesAsNames: false,
  deadHasNoStates: false,
  comboNameIsValue: false,
  reportsDefault: false,
  textInUtf16: false,
  tooltipOnParent: false,
  fillersClip: false,
  textInContainers: false,
  hiddenBoxesMayShow: false,
  asksAboutKeys: false,
  drawnByLabels: false,
  numbersIn32Bits: false,
  lagMs: 250,
  drawsAheadMs: 0,
  dialogIgnoresClicksMs: 0,
};

const TOOLKITS: Record<ToolkitName, Toolkit> = {
  // GTK 3 lays out before it draws: one frame later its tree matches the last drawing.
  gtk3: {
    ...COMMON,
    name: 'gtk3',
    reportsDefault: true,
    deadHasNoStates: true,
    comboNameIsValue: true,
    tooltipOnParent: true,
    lagMs: 100,
  },
  gtk4: {
    ...COMMON,
    name: 'gtk4',
    peerToPeer: false,
    showingBy: 'geometry',
    coordinates: 'window',
    enabledBy: 'sensitive',
    classNamesAsNames: true,
  },
  qt: {
    ...COMMON,
    name: 'qt',
    reportsDefault: true,
    peerToPeer: false,
    comboNameIsValue: true,
    textInUtf16: true,
    fillersClip: true,
    asksAboutKeys: true,
  },
  libreoffice: { ...COMMON, name: 'libreoffice', deadHasNoStates: true, comboNameIsValue: true, tooltipOnParent: true },
  // The bounds of elements that moved by themselves were seen to lag by half a second. Dialogs ignore clicks for 500 ms
  // from their first frame.
  chromium: {
    ...COMMON,
    name: 'chromium',
    numbersIn32Bits: true,
    lagMs: 1_000,
    drawsAheadMs: 250,
    dialogIgnoresClicksMs: 600,
  },
  // The content process sends changes of its pages later than it draws them.
  gecko: {
    ...COMMON,
    name: 'gecko',
    lagMs: 1_000,
    drawsAheadMs: 250,
    textInContainers: true,
    hiddenBoxesMayShow: true,
  },
  // With several calls at once, the app was measured to answer nothing for seconds.
  swing: { ...COMMON, name: 'swing', textInUtf16: true, comboNameIsValue: true, drawnByLabels: true, callsInFlight: 1 },
  // WebKitGTK reports texts as Gecko does.
  other: { ...COMMON, name: 'other', peerToPeer: false, textInContainers: true },
};

/** Shows pages, whose content it reports from another process. */
export const isBrowser = ({ name }: Toolkit): boolean => name === 'chromium' || name === 'gecko';

/** Identifies the toolkit from the app's own ToolkitName and its name on the bus. */
export function toolkitFrom(toolkitName: string, appName: string): Toolkit {
  if (toolkitName === 'GTK') return TOOLKITS.gtk4;
  if (/^gtk$/.test(toolkitName)) return /soffice|libreoffice/i.test(appName) ? TOOLKITS.libreoffice : TOOLKITS.gtk3;
  // GTK 2 and its module gail, whose widgets are those of GTK 3.
  if (toolkitName === 'GAIL') return TOOLKITS.gtk3;
  if (/^qt/i.test(toolkitName)) return TOOLKITS.qt;
  if (/chrom/i.test(toolkitName)) return TOOLKITS.chromium;
  if (/^gecko/i.test(toolkitName)) return TOOLKITS.gecko;
  if (/vcl|libreoffice/i.test(toolkitName)) return TOOLKITS.libreoffice;
  if (/j2se|java/i.test(toolkitName)) return TOOLKITS.swing;
  return TOOLKITS.other;
}
