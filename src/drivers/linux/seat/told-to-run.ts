/** Options for code that is loaded into the app, and files that hold some: `--gtk-module x`, `-platformpluginpath DIR`. */
const LOADS_OPTION = /^--?(?!-|disable|no-)[^=]*(module|plugin|librar|preload|extension|addon)/i;
const LIBRARY = /\.so(\.\d+)*$/;
/** For code that the app runs itself: `--script=x.lua`, `--python-expr`, `--batch`; and pages that are code. */
const RUNS =
  /^--?(?!-|disable|no-)([^=]*[-_])?(scripts?|python\w*|lua|macros?|eval|expr\w*|batch\w*|interpret\w*)([-_=]|$)/i;
const CODE = /^\s*(\.uno\b|(macro|slot|service|javascript|vnd\.sun\.star\.\w+):)/i;
/** By which browser engines start their own parts, whatever stands there. */
const STARTS = /^--?([\w-]*-)?(cmd-prefix|launcher|subprocess-path)(=|$)/i;
/** For what runs the app under its own eyes, or lets others do so. */
const WATCHES =
  /^--?(gdb|\w*debugger|[sl]trace|backtrace|valgrind|callgrind|record|rr|perf|inspect|marionette|([\w-]+-)?(gdb|debugger|debugging))([-_=]|$)/i;
/** A script that writes its arguments down somewhere may have begun a new line there. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** It is plain to see that an app with these words does more than to show a window: they load, run or watch something. */
export function isToldToRun(args: readonly string[], wordsIn: (arg: string) => readonly string[]): boolean {
  return args.some((arg) => {
    const value = arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg;
    return (
      [LOADS_OPTION, RUNS, STARTS, WATCHES, CONTROL].some((sign) => sign.test(arg)) ||
      CODE.test(value) ||
      wordsIn(arg).some((word) => LIBRARY.test(word))
    );
  });
}
