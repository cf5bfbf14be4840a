/** Follows the reader's light or dark setting; one column on a phone; a plain layout for print. */
export const STYLE: string = `
:root {
  --paper: #f7f5f0; --card: #fffefb; --ink: #22201c; --soft: #6d675d; --line: #e4dfd4; --faint: #f0ece3;
  --ok: #2c7a4b; --failed: #b23a2e; --denied: #9a5b00; --unknown: #6b4fa0; --noted: #7d776c; --accent: #1f5f8b;
  --mark: #fbf0d0; --shade: 0 1px 2px rgb(60 50 30 / 7%), 0 6px 18px -10px rgb(60 50 30 / 18%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161614; --card: #1f1f1c; --ink: #ebe7de; --soft: #a09a8d; --line: #34322d; --faint: #292824;
    --ok: #6cc48e; --failed: #f08a7d; --denied: #e3aa55; --unknown: #b7a0e6; --noted: #938d80; --accent: #86bfe4;
    --mark: #3a331f; --shade: none;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
p { margin: 0; }
[hidden] { display: none !important; }
a { color: inherit; }
code { font: 0.86em/1.4 ui-monospace, 'SF Mono', 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
q { quotes: '\\201c' '\\201d'; background: var(--mark); border-radius: 4px; padding: 0.05em 0.25em; overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.over { text-transform: uppercase; letter-spacing: 0.14em; font-size: 0.72rem; font-weight: 600; color: var(--accent); }
h1 { font: 600 2.3rem/1.15 ui-serif, Georgia, 'Noto Serif', 'DejaVu Serif', serif; letter-spacing: -0.01em; margin: 0.3rem 0 0.5rem; overflow-wrap: anywhere; }
h1 em { font-style: normal; color: var(--accent); }
.span { font-size: 1.05rem; }
.small { color: var(--soft); font-size: 0.9rem; margin-top: 0.2rem; }
.small span + span::before { content: ' · '; }
.about { color: var(--soft); font-size: 0.78rem; margin-top: 0.6rem; }
.seal { margin-top: 1.2rem; padding: 0.7rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--noted); border-radius: 8px; background: var(--card); font-size: 0.9rem; color: var(--soft); overflow-wrap: anywhere; }
.seal b { color: var(--noted); margin-right: 0.4em; }
.seal b::before { content: '○ '; }
.seal.good { border-left-color: var(--ok); } .seal.good b { color: var(--ok); } .seal.good b::before { content: '✓ '; }
.seal.bad { border-left-color: var(--failed); } .seal.bad b { color: var(--failed); } .seal.bad b::before { content: '✗ '; }
.seal .note { display: block; font-size: 0.82rem; }
aside.unknown { margin-top: 0.8rem; padding: 0.7rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--unknown); border-radius: 8px; background: var(--card); font-size: 0.9rem; }
aside.unknown b { color: var(--unknown); }
aside.unknown ul { margin: 0.2rem 0 0; padding-left: 1.2rem; }
.timeline { margin: 2rem 0 0; }
.ticks { position: relative; height: 4.2rem; border-bottom: 1px solid var(--line); margin: 0 4px; }
.tick { position: absolute; bottom: 0; width: 7px; margin-left: -3.5px; border-radius: 3px 3px 0 0; background: var(--noted); opacity: 0.85; transition: opacity 0.15s; }
.tick:hover { opacity: 1; filter: brightness(1.15); }
.tick.faint { opacity: 0.15; }
.tick.ok { background: var(--ok); } .tick.failed { background: var(--failed); } .tick.denied { background: var(--denied); } .tick.unknown { background: var(--unknown); }
.tick.read { opacity: 0.4; width: 4px; margin-left: -2px; }
.tick.event { border-radius: 50%; height: 7px !important; bottom: -4px; }
.pause { position: absolute; top: 0; transform: translateX(calc(-100% - 6px)); font-size: 0.7rem; color: var(--soft); white-space: nowrap; }
.ends { display: flex; justify-content: space-between; gap: 1rem; font-size: 0.75rem; color: var(--soft); font-variant-numeric: tabular-nums; padding-top: 0.35rem; }
.filters { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.4rem; padding: 0.8rem 0; margin: 1.2rem 0 0.6rem; background: var(--paper); border-bottom: 1px solid var(--line); }
body:not(.live) .filters, body:not(.live) .keys { display: none; }
.filters button { font: inherit; font-size: 0.82rem; color: var(--soft); background: var(--card); border: 1px solid var(--line); border-radius: 999px; padding: 0.25rem 0.75rem; cursor: pointer; }
.filters button b { color: var(--ink); margin-right: 0.35em; font-variant-numeric: tabular-nums; }
.filters button.ok b { color: var(--ok); } .filters button.failed b { color: var(--failed); } .filters button.denied b { color: var(--denied); } .filters button.unknown b { color: var(--unknown); }
.filters button[aria-pressed='true'] { border-color: var(--ink); color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
.filters button:disabled { opacity: 0.45; cursor: default; }
.filters button:disabled b { color: inherit; }
.filters input { font: inherit; font-size: 0.85rem; flex: 1 1 8rem; min-width: 7rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 999px; padding: 0.25rem 0.9rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.steps { list-style: none; margin: 0; padding: 0.6rem 0 0; }
.step { display: grid; grid-template-columns: 7.2rem 1fr; gap: 1.6rem; position: relative; padding: 0.32rem 0; outline: none; }
.when { text-align: right; font-size: 0.78rem; color: var(--soft); font-variant-numeric: tabular-nums; padding-top: 0.72rem; }
.when::after { content: ''; position: absolute; left: calc(7.2rem + 0.8rem - 4.5px); top: 1.3rem; width: 9px; height: 9px; border-radius: 50%; background: var(--noted); box-shadow: 0 0 0 4px var(--paper); }
.step::before { content: ''; position: absolute; left: calc(7.2rem + 0.8rem - 0.5px); top: 0; bottom: 0; width: 1px; background: var(--line); }
.step.ok .when::after { background: var(--ok); } .step.failed .when::after { background: var(--failed); } .step.denied .when::after { background: var(--denied); } .step.unknown .when::after { background: var(--unknown); }
.step.read .when::after { background: var(--paper); border: 2px solid var(--line); }
.step.read.failed .when::after { border-color: var(--failed); }
.number { display: inline-block; color: var(--ink); font-weight: 600; text-decoration: none; margin-right: 0.5rem; }
.gap { display: block; font-style: italic; margin-top: -0.5rem; padding-bottom: 0.1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.65rem 1rem 0.7rem; box-shadow: var(--shade); min-width: 0; overflow: hidden; }
.step:focus .card { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
.step:target .card { border-color: var(--accent); }
.step.failed .card { border-left: 3px solid var(--failed); } .step.denied .card { border-left: 3px solid var(--denied); } .step.unknown .card { border-left: 3px solid var(--unknown); }
summary { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; align-items: baseline; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.sentence { flex: 1 1 0; min-width: 0; font-size: 1.02rem; }
.took::after { content: '›'; display: inline-block; margin-left: 0.6rem; color: var(--noted); transition: transform 0.15s; }
details[open] .took::after { transform: rotate(90deg); }
.took { flex: none; color: var(--soft); font-size: 0.82rem; font-variant-numeric: tabular-nums; }
.chips { flex: 1 0 100%; display: flex; flex-wrap: wrap; gap: 0.3rem; margin-top: 0.4rem; }
.chip { font-size: 0.74rem; line-height: 1.4; padding: 0.06rem 0.5rem; border-radius: 999px; border: 1px solid var(--line); color: var(--soft); overflow-wrap: anywhere; max-width: 100%; }
.chip.ok, .chip.failed, .chip.denied, .chip.unknown { border-color: currentcolor; font-weight: 600; }
.chip.ok { color: var(--ok); } .chip.failed { color: var(--failed); } .chip.denied { color: var(--denied); } .chip.unknown { color: var(--unknown); }
.chip.rule, .chip.risk { background: var(--faint); border-color: transparent; }
.chip.rule.deny, .chip.risk.medium { color: var(--denied); } .chip.risk.high, .chip.risk.prohibited { color: var(--failed); }
.chip.plain { border-color: transparent; padding-inline: 0.15rem; }
.asking { margin-top: 0.5rem; padding: 0.45rem 0.75rem; border-radius: 8px; background: var(--faint); font-size: 0.88rem; }
.asking.yes b { color: var(--ok); } .asking.no b { color: var(--denied); } .asking.open b { color: var(--unknown); }
.bar { height: 3px; margin: 0.6rem -1rem -0.7rem; background: var(--faint); }
.bar i { display: block; height: 100%; background: var(--noted); opacity: 0.55; border-radius: 0 2px 2px 0; }
.step.ok .bar i { background: var(--ok); } .step.failed .bar i { background: var(--failed); } .step.denied .bar i { background: var(--denied); }
dl { margin: 0.7rem 0 0.6rem; padding: 0.6rem 0 0.2rem; border-top: 1px solid var(--line); font-size: 0.85rem; }
dl div { display: grid; grid-template-columns: 7rem 1fr; gap: 0.8rem; padding: 0.1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.arg { display: block; } .arg > code:first-child { color: var(--soft); margin-right: 0.4em; }
.step.read .card { background: none; border-color: transparent; box-shadow: none; padding-block: 0.3rem; }
.step.read { padding-block: 0; } .step.read .when { padding-top: 0.4rem; } .step.read .when::after { top: 0.75rem; }
.step.read .sentence { color: var(--soft); font-size: 0.92rem; }
.step.read .bar, .step.read .chip.rule, .step.read .chip.risk, .step.read.ok .chips { display: none; }
.step.event .card { background: none; border: 0; box-shadow: none; padding-block: 0.15rem; }
.step.event .when { padding-top: 0.22rem; } .step.event .when::after { top: 0.85rem; width: 7px; height: 7px; margin: 0 1px; }
.line { font-size: 0.88rem; color: var(--soft); overflow-wrap: anywhere; }
.what { display: inline-block; text-transform: uppercase; font-size: 0.68rem; letter-spacing: 0.1em; margin-right: 0.4em; color: var(--noted); }
.step.event.denied .line, .step.event.denied .what { color: var(--denied); } .step.event.unknown .what { color: var(--unknown); }
.nothing { padding: 2rem; text-align: center; color: var(--soft); }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.82rem; color: var(--soft); }
kbd { font: 0.85em ui-monospace, 'DejaVu Sans Mono', monospace; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.3em; background: var(--card); }
.keys { margin-top: 0.5rem; }
@media (max-width: 40rem) {
  main { padding: 1.4rem 0.9rem 3rem; }
  h1 { font-size: 1.7rem; }
  .filters { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .filters button { flex: none; }
  .step { grid-template-columns: 1fr; gap: 0.15rem; padding-left: 1.1rem; }
  .step::before { left: 3px; }
  .when, .step.event .when, .step.read .when { text-align: left; padding-top: 0.3rem; }
  .when::after, .step.read .when::after, .step.event .when::after { left: -1px; top: 0.8rem; }
  .gap { margin-top: 0; }
  .step.read .card, .step.event .card { padding-inline: 0; }
  dl div { grid-template-columns: 1fr; gap: 0; padding-bottom: 0.35rem; }
  .keys { display: none; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --faint: #eee; --mark: #f4f4f4; --shade: none; --ok: #1d6a3c; --failed: #a02a20; --denied: #8a5000; --unknown: #54398a; }
  main { max-width: none; padding: 0; }
  body { font-size: 12px; }
  .filters, .keys { display: none; }
  .card { break-inside: avoid; }
  .tick, .bar i, .when::after, q { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
