/** The look of the report. Colours are variables, set once for light and once for dark. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #fff; --sunk: #f4f4f2; --line: #e3e3df; --strong: #c9c9c4;
  --ink: #1c1d1f; --soft: #5b5e64; --accent: #1b5fc1; --key: #6b3fa0; --string: #1f6b3a;
  --good: #17713a; --good-bg: #e3f4e8; --bad: #b3261e; --bad-bg: #fce8e6; --doubt: #8a5300; --doubt-bg: #fdf0d8;
  --blue: #1b5fc1; --blue-bg: #e5eefb; --plum: #7a3e9d; --plum-bg: #f4e8fa; --grey: #5b5e64; --grey-bg: #ededea;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131416; --card: #1a1c1f; --sunk: #202327; --line: #2c2f34; --strong: #43474e;
    --ink: #e8e8e6; --soft: #a2a6ad; --accent: #8ab4f8; --key: #c9a5f0; --string: #86d19b;
    --good: #7fd69a; --good-bg: #16301f; --bad: #ff9b92; --bad-bg: #3d1a18; --doubt: #f0bd63; --doubt-bg: #362811;
    --blue: #8ab4f8; --blue-bg: #182a45; --plum: #d9a8f2; --plum-bg: #311f3c; --grey: #a2a6ad; --grey-bg: #292c31;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem 6rem; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, dl, dd, ol, ul, pre { margin: 0; padding: 0; }
h2 { font-size: 1.15rem; margin: 3rem 0 .25rem; }
h3 { display: inline; font-size: 1rem; }
h4 { color: var(--soft); font-size: .75rem; font-weight: 600; letter-spacing: .06em; margin-bottom: .4rem; text-transform: uppercase; }
a { color: var(--accent); }
code, pre, .id, .line, .headers, .frames, .command { font-family: var(--mono); font-size: .86em; }
button, input, select { color: inherit; font: inherit; }
button { cursor: pointer; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
:focus-visible { border-radius: 3px; outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.skip { background: var(--card); left: -999px; padding: .5rem 1rem; position: absolute; top: 0; z-index: 3; }
.skip:focus { left: 1rem; }
.aside { color: var(--soft); font-size: .85rem; }

.brand { font-weight: 650; letter-spacing: -.01em; }
.brand span { color: var(--soft); font-weight: 400; }
h1 { font-size: 1.9rem; letter-spacing: -.02em; line-height: 1.2; margin: 1.25rem 0 1rem; }
.verdict { border-radius: 10px; padding: 1.1rem 1.35rem 1.2rem; }
.verdict .word { font-size: 1.5rem; font-weight: 700; letter-spacing: -.015em; line-height: 1.3; }
.verdict .why { color: var(--ink); font-size: 1.05rem; margin-top: .15rem; }
.verdict .next { color: var(--ink); font-size: .92rem; margin-top: .6rem; }
.verdict.conformant { background: var(--good-bg); color: var(--good); }
.verdict.nonconformant { background: var(--bad-bg); color: var(--bad); }
.verdict.indeterminate, .verdict.partial { background: var(--doubt-bg); color: var(--doubt); }
.bar { border-radius: 5px; display: block; margin: 1.1rem 0; width: 100%; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; margin: -.35rem 0 1.4rem; }
.legend a { align-items: center; color: inherit; display: inline-flex; font-size: .9rem; gap: .4rem; text-decoration: none; }
.legend a:hover { text-decoration: underline; }
.legend b { font-variant-numeric: tabular-nums; font-weight: 600; }
.facts { display: grid; gap: .55rem 2rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.facts dt { color: var(--soft); font-size: .78rem; }
.facts dd { font-size: .92rem; }

.scroll { border: 1px solid var(--line); border-radius: 10px; background: var(--card); margin-top: .75rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; }
thead th { border-bottom: 1px solid var(--line); padding: .3rem 0; vertical-align: bottom; }
thead td { border-bottom: 1px solid var(--line); }
th { font-weight: 500; text-align: left; }
thead th { text-align: center; }
tbody th, thead td { background: var(--card); left: 0; position: sticky; z-index: 1; }
td { padding: 1px; text-align: center; }
table button { background: none; border: 0; border-radius: 5px; line-height: 1.35; padding: .16rem .5rem; position: relative; white-space: nowrap; }
tbody th button { padding-left: .9rem; }
table button:hover { background: var(--sunk); }
table .cell { font-variant-numeric: tabular-nums; min-width: 3.6rem; width: 100%; }
table .cell:hover { outline: 2px solid currentColor; outline-offset: -2px; }
table button[aria-pressed="true"] { box-shadow: inset 0 0 0 2px var(--accent); }
table .cell:not(.pass) { font-weight: 650; }

.pass { --of: var(--good); --on: var(--good-bg); }
.fail, .error { --of: var(--bad); --on: var(--bad-bg); }
.warn, .inconclusive { --of: var(--doubt); --on: var(--doubt-bg); }
.untestable { --of: var(--plum); --on: var(--plum-bg); }
.note { --of: var(--blue); --on: var(--blue-bg); }
.not-applicable, .excluded { --of: var(--grey); --on: var(--grey-bg); }
.sign { align-items: center; background: var(--on); border-radius: 50%; color: var(--of); display: inline-flex; flex: none; font-size: .72rem; font-weight: 700; height: 1.25rem; justify-content: center; line-height: 1; width: 1.25rem; }
.cell { background: var(--on); color: var(--of); }
rect { fill: var(--of); }

#filters { background: var(--page); border-bottom: 1px solid var(--line); display: grid; gap: .5rem; margin: .5rem 0 1rem; padding: .6rem 0 .7rem; position: sticky; top: 0; z-index: 2; }
.row { align-items: center; display: flex; flex-wrap: wrap; gap: .4rem; }
.search { flex: 1 1 16rem; }
input, select { background: var(--card); border: 1px solid var(--strong); border-radius: 7px; height: 2.3rem; padding: 0 .7rem; }
input { width: 100%; }
input::placeholder { color: var(--soft); opacity: 1; }
.chip { align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: 99px; display: inline-flex; font-size: .84rem; gap: .35rem; min-height: 1.9rem; padding: .1rem .7rem .1rem .35rem; }
.chip:not(:has(.sign)) { padding-left: .7rem; }
.chip b { color: var(--soft); font-weight: 500; font-variant-numeric: tabular-nums; }
.chip:hover { border-color: var(--strong); }
.chip[aria-pressed="true"], .chip.place { background: var(--ink); border-color: var(--ink); color: var(--page); }
.chip[aria-pressed="true"] b { color: inherit; }
.push { flex: 1; }
#count { color: var(--soft); font-size: .85rem; font-variant-numeric: tabular-nums; }
.quiet { background: none; border: 0; color: var(--accent); font-size: .85rem; min-height: 1.9rem; padding: 0 .3rem; }
.quiet:hover { text-decoration: underline; }
.nothing { color: var(--soft); padding: 2rem; text-align: center; }

.section { margin-top: 1.25rem; scroll-margin-top: 9rem; }
.section > summary { padding: .3rem 0; }
.section > summary::before, .raw > summary::before { color: var(--soft); content: "▸"; display: inline-block; font-size: .8rem; width: 1.1rem; }
.section[open] > summary::before, .raw[open] > summary::before { content: "▾"; }
.count { color: var(--soft); font-weight: 400; margin-left: .15rem; }
.list { border: 1px solid var(--line); border-radius: 10px; margin-top: .3rem; overflow: hidden; }
.check { background: var(--card); border-top: 1px solid var(--line); margin-top: -1px; scroll-margin-top: 10rem; }
.check > summary:focus-visible { outline-offset: -2px; }
.check > summary { align-items: flex-start; display: flex; gap: .65rem; padding: .5rem .9rem; }
.check > summary:hover { background: var(--sunk); }
.check > summary .sign { margin-top: .12rem; }
.check[open] > summary { border-bottom: 1px solid var(--line); }
.name { flex: 1; min-width: 0; }
.id { font-weight: 600; }
.level { color: var(--soft); font-size: .7rem; font-weight: 600; letter-spacing: .04em; }
.id + .level { margin-left: .15rem; }
.tag { background: var(--grey-bg); border-radius: 99px; color: var(--grey); font-size: .74rem; padding: .1rem .5rem; }
.tag.stale { background: var(--bad-bg); color: var(--bad); }
section.stale { background: var(--bad-bg); border-radius: 10px; margin-top: 1rem; padding: .8rem 1rem; }
section.stale ul { list-style: none; margin-top: .3rem; }
.gist { color: var(--soft); display: block; font-size: .86rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.check[open] > summary .gist { display: none; }
.reason { margin: .6rem 0 1rem; }
.reason > p { margin-bottom: .35rem; }
.reason .gist { display: none; }
.known { padding: .9rem .9rem 1rem; }
.fields > div { display: grid; gap: .1rem 1rem; grid-template-columns: 5.5rem minmax(0, 1fr); padding: .22rem 0; }
dt { color: var(--soft); }
.fields dt { font-size: .85rem; }
.fields dd { min-width: 0; white-space: pre-wrap; }
.known .aside { margin-top: .4rem; }
.exchange-title { display: block; font-size: .85rem; font-weight: 400; color: var(--soft); margin-top: .7rem; }
.exchange-title code { color: var(--ink); }
.exchange { margin: .6rem 0; }
.halves { display: grid; gap: .75rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.half, .stream { background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: .75rem .85rem; }
.stream { margin-top: .75rem; }
.line { line-height: 1.45; }
.line .good { color: var(--good); }
.line .bad { color: var(--bad); }
.took { color: var(--soft); float: right; }
.headers { border-top: 1px solid var(--line); font-size: .78em; margin-top: .5rem; padding-top: .45rem; }
.headers div { display: grid; gap: 0 .75rem; grid-template-columns: minmax(0, 10.5rem) minmax(0, 1fr); }
.headers dd { min-width: 0; }
pre { background: var(--sunk); border-radius: 6px; font-size: .8em; line-height: 1.5; margin-top: .55rem; max-height: 26rem; overflow: auto; padding: .6rem .7rem; white-space: pre-wrap; }
pre b { color: var(--key); font-weight: 500; }
pre i { color: var(--string); font-style: normal; }
.broken { color: var(--bad); font-size: .88rem; margin-top: .4rem; }
.raw { font-size: .88rem; margin-top: .5rem; }
.copy { align-items: flex-start; display: flex; gap: .5rem; }
.copy .command { flex: 1; margin: 0; min-width: 0; white-space: pre-wrap; }
.copy button { background: var(--card); border: 1px solid var(--strong); border-radius: 6px; color: var(--ink); font-size: .82rem; min-width: 4.2rem; padding: .2rem .6rem; }
.copy button:hover { border-color: var(--ink); }
.next .copy { margin-top: .25rem; }
.marks { display: block; margin-top: .6rem; overflow: visible; width: 100%; }
.marks line { stroke: var(--strong); }
.marks .gateway { fill: var(--accent); }
.marks .us { fill: var(--doubt); }
.marks .headers-mark { fill: var(--soft); }
.scale { color: var(--soft); display: flex; font-size: .75rem; justify-content: space-between; margin-bottom: .4rem; }
.steps { font-family: var(--mono); font-size: .86em; margin: .4rem 0 .7rem; padding-left: 2.4rem; }
.steps .aside { font-size: 1em; }
.steps li::marker { color: var(--soft); }
.steps .at { display: inline-block; margin-right: .6rem; }
.steps [aria-current] { background: var(--sunk); font-weight: 600; }
.frames { list-style: none; }
.frames summary { display: flex; gap: .75rem; padding: .12rem .25rem; border-radius: 4px; }
.frames summary:hover { background: var(--sunk); }
.number, .at { color: var(--soft); flex: none; font-variant-numeric: tabular-nums; text-align: right; }
.number { width: 2rem; }
.at { width: 4.5rem; }
.frames pre { font-size: .92em; }
.frames .aside { font-family: system-ui, sans-serif; margin-bottom: .4rem; }
.event { flex: none; font-weight: 600; }
.start { color: var(--soft); flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.gap { color: var(--soft); padding: .4rem 3rem; }
.unchecked ul { list-style: none; }
.unchecked li { background: var(--card); border: 1px solid var(--line); margin-top: -1px; padding: .55rem .9rem; }

@media (max-width: 48rem) {
  body { padding: 1.25rem 1rem 4rem; }
  h1 { font-size: 1.5rem; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .55rem 1rem; }
  #filters { position: static; }
  .halves { grid-template-columns: minmax(0, 1fr); }
  .fields > div { grid-template-columns: minmax(0, 1fr); padding: .35rem 0; }
  .copy { flex-direction: column; }
  .check, .section { scroll-margin-top: 1rem; }
  .frames summary { flex-wrap: wrap; gap: 0 .5rem; }
  .start { flex-basis: 100%; }
  .headers div { grid-template-columns: minmax(0, 7.6rem) minmax(0, 1fr); }
  thead button { overflow-wrap: normal; padding: .16rem .3rem; white-space: normal; }
  table .cell { min-width: 2.9rem; padding: .16rem .2rem; }
  tbody th button { padding: .16rem .3rem .16rem .6rem; }
  .number { text-align: left; width: 1.5rem; }
  .id + .level { margin-left: 0; }
  .select, select { width: 100%; }
}
@media print {
  #filters, .copy button, .skip { display: none; }
  body { max-width: none; }
  .gist, .start { white-space: normal; }
  .scroll { overflow: visible; }
  pre { max-height: none; overflow: visible; }
  thead button { overflow-wrap: normal; padding: .16rem .3rem; white-space: normal; }
  table .cell { min-width: 2.9rem; padding: .16rem .2rem; }
}
`;
