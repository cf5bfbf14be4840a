/**
 * What each toolkit does differently, in one table. Every line was measured on real apps (docs/drivers.md); a rule that
 * a newer version makes wrong is changed here.
 */
export type ToolkitName = 'gtk3' | 'gtk4' | 'qt' | 'libreoffice' | 'chromium' | 'swing' | 'other';

export interface Toolkit {
  name: ToolkitName;
  /** Offers a private socket of its own: fewer hops, and a full bus queue of others does not matter. */
  peerToPeer: boolean;
  /** `state`: SHOWING tells. `geometry`: only VISIBLE, size and the scrolling ancestors tell (GTK 4). */
  showingBy: 'state' | 'geometry';
  /** GTK 4 knows positions within its window only. */
  coordinates: 'screen' | 'window';
  /** Which bit says that it can be used; GTK 4 sets SENSITIVE only, and not on children of an insensitive parent. */
  enabledBy: 'enabled' | 'sensitive';
  /** GTK 4.8 gives class names (GtkEntry) and doubled labels ("7 7") as names. */
  classNamesAsNames: boolean;
  /** A dead object answers with no states instead of an error. */
  deadHasNoStates: boolean;
  /** Text positions count UTF-16 units instead of characters: an emoji is two. */
  textInUtf16: boolean;
  /** Name of a combo box is the text of its current item. */
  comboNameIsValue: boolean;
  /** How long after a change, at the most, its tree may still tell what was before, without another word. */
  lagMs: number;
  /** How long after something was drawn its tree may still tell what was there before, when the machine is busy. */
  drawsAheadMs: number;
  /** A tool button's tooltip is the description of the box around it. */
  tooltipOnParent: boolean;
  /** So long the buttons of a dialog drop clicks after it was shown, by mouse and by action: nobody can have read it yet. */
  dialogIgnoresClicksMs: number;
  /** Numbers pass through 32 bits on their way in and out: 12.34 arrives as 12.34000015258789. */
  numbersIn32Bits: boolean;
  /** Scrolling areas say that they are fillers; nothing is drawn outside of any filler. */
  fillersClip: boolean;
}

const COMMON: Omit<Toolkit, 'name'> = {
  peerToPeer: true,
  showingBy: 'state',
  coordinates: 'screen',
  enabledBy: 'enabled',
  classNamesAsNames: false,
  deadHasNoStates: false,
  comboNameIsValue: false,
  textInUtf16: false,
  tooltipOnParent: false,
  fillersClip: false,
  numbersIn32Bits: false,
  lagMs: 250,
  drawsAheadMs: 0,
  dialogIgnoresClicksMs: 0,
};

const TOOLKITS: Record<ToolkitName, Toolkit> = {
  // It lays out before it draws: what was drawn last is what its tree tells a frame later.
  gtk3: { ...COMMON, name: 'gtk3', deadHasNoStates: true, comboNameIsValue: true, tooltipOnParent: true, lagMs: 100 },
  gtk4: {
    ...COMMON,
    name: 'gtk4',
    peerToPeer: false,
    showingBy: 'geometry',
    coordinates: 'window',
    enabledBy: 'sensitive',
    classNamesAsNames: true,
  },
  qt: { ...COMMON, name: 'qt', peerToPeer: false, comboNameIsValue: true, textInUtf16: true, fillersClip: true },
  libreoffice: { ...COMMON, name: 'libreoffice', deadHasNoStates: true, comboNameIsValue: true, tooltipOnParent: true },
  // Bounds of what moved by itself were seen to follow half a second later. Its dialogs are deaf for 500 ms from their
  // first frame on.
  chromium: {
    ...COMMON,
    name: 'chromium',
    numbersIn32Bits: true,
    lagMs: 1_000,
    drawsAheadMs: 250,
    dialogIgnoresClicksMs: 600,
  },
  swing: { ...COMMON, name: 'swing' },
  other: { ...COMMON, name: 'other', peerToPeer: false },
};

/** From what the app says of itself: ToolkitName, its version and its name on the bus. */
export function toolkitFrom(toolkitName: string, appName: string): Toolkit {
  if (toolkitName === 'GTK') return TOOLKITS.gtk4;
  if (/^gtk$/.test(toolkitName)) return /soffice|libreoffice/i.test(appName) ? TOOLKITS.libreoffice : TOOLKITS.gtk3;
  if (/^qt/i.test(toolkitName)) return TOOLKITS.qt;
  if (/chrom/i.test(toolkitName)) return TOOLKITS.chromium;
  if (/vcl|libreoffice/i.test(toolkitName)) return TOOLKITS.libreoffice;
  if (/j2se|java/i.test(toolkitName)) return TOOLKITS.swing;
  return TOOLKITS.other;
}
