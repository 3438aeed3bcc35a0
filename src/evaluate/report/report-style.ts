/** The style of the report: dark and light, nothing from elsewhere. */
export const REPORT_CSS = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --dim: #5f6b76; --line: #d9dee3; --good: #137a3e; --bad: #b42318; --mark: #2563c9; --band: #eef2f6; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181c; --text: #e6e9ec; --dim: #9aa5b0; --line: #313940; --good: #4cc38a; --bad: #ff8a7a; --mark: #7aa7ff; --band: #1e252c; } }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); } .dim { color: var(--dim); } .good { color: var(--good); } .bad { color: var(--bad); }
.verdict { font-size: 1.2rem; font-weight: 600; } svg { width: 100%; max-width: 640px; height: auto; } svg text { fill: var(--text); font-size: 13px; } svg .tick { fill: var(--dim); }
.grid { stroke: var(--line); } .bar { stroke: var(--mark); stroke-width: 3; } .dot { fill: var(--mark); } .band { fill: var(--band); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0; font-size: 13px; } summary { cursor: pointer; } code { overflow-wrap: anywhere; }
`;
