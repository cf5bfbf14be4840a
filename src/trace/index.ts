export { traceHtml } from './html/trace-html.js';
export type { HtmlOptions } from './html/trace-html.js';
export type { Checked } from './checked.js';
export type { Caller, DeedStep, EventStep, Question, Result, Step, Totals, Trace, TraceOptions } from './trace.js';
export { isDeed } from './trace.js';
export { traceOf } from './trace-of.js';
export type { ToolField } from './recorded-args.js';
export { traceScript } from './script/trace-script.js';
export type { ScriptOptions } from './script/trace-script.js';
