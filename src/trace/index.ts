export { traceHtml } from './html/trace-html.js';
export type { HtmlOptions } from './html/trace-html.js';
export type { Checked } from './html/header.js';
export type { Caller, DeedStep, EventStep, Question, Result, Step, Totals, Trace, TraceOptions } from './trace.js';
export { isDeed } from './trace.js';
export { traceOf } from './trace-of.js';
