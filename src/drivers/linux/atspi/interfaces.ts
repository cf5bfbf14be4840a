const ATSPI = 'org.a11y.atspi.';

export const ACCESSIBLE = `${ATSPI}Accessible`;
export const ACTION = `${ATSPI}Action`;
export const APPLICATION = `${ATSPI}Application`;
export const COMPONENT = `${ATSPI}Component`;
export const EDITABLE_TEXT = `${ATSPI}EditableText`;
export const HYPERLINK = `${ATSPI}Hyperlink`;
export const SELECTION = `${ATSPI}Selection`;
export const TABLE = `${ATSPI}Table`;
export const TEXT = `${ATSPI}Text`;
export const VALUE = `${ATSPI}Value`;
export const PROPERTIES = 'org.freedesktop.DBus.Properties';

export const ROOT_PATH = '/org/a11y/atspi/accessible/root';
export const NULL_PATH = '/org/a11y/atspi/null';
export const REGISTRY = 'org.a11y.atspi.Registry';

/** Relation numbers that carry names and errors. */
export const LABELLED_BY = 2;
export const ERROR_MESSAGE = 21;

/** Coordinate spaces of Component calls. */
export const SCREEN = 0;
export const WINDOW = 1;
