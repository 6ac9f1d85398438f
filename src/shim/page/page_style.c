/* SPDX-License-Identifier: BSD-3-Clause */
/* How the page looks.  Bars and tables are HTML, so that their text keeps its
 * size on a small screen; pictures without text are SVG, which stretches. */
#include "shim/page/page_text.h"

static const char *const style[] = {
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1c2230;--soft:#5a6374;"
    "--line:#dde1e8;--card:#f5f6f9;--hesca:#2764c8;--grid:#0f8a86;"
    "--orig:#8f99a9;--wait:#dd9a23;--copy:#0f8a86;--scal:#8a70c4;--scalwait:#"
    "c9907a;"
    "--tip:#fff7e3;--tipline:#dd9a23;--cell:39,100,200;--ink:#fff}\n",
    "@media(prefers-color-scheme:dark){:root{--bg:#13161c;--fg:#e4e8ef;"
    "--soft:#9aa4b5;--line:#2c323d;--card:#1b1f27;--hesca:#5b94f0;"
    "--grid:#35b5ae;--orig:#778294;--wait:#e5ab44;--copy:#35b5ae;"
    "--scal:#a38ae0;--scalwait:#a9694f;--tip:#262116;--tipline:#b98626;--cell:"
    "91,148,240;"
    "--ink:#0d1117}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 "
    "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,"
    "sans-serif}\n",
    "main{max-width:1120px;margin:0 auto;padding:28px 20px 60px}\n",
    "h1{font-size:26px;line-height:1.2;margin:0 0 4px;font-weight:650;"
    "overflow-wrap:anywhere}\n",
    "h2{font-size:19px;margin:44px 0 4px;font-weight:650}\n",
    "h3{font-size:15px;margin:20px 0 4px;font-weight:650}\n",
    "p{margin:4px 0 12px;max-width:76ch}\n",
    ".soft{max-width:none}.soft,.note,figcaption{color:var(--soft)}\n",
    ".note,figcaption{font-size:13.5px;max-width:88ch}\n",
    "figure{margin:12px 0 0}\n",
    "code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "overflow-wrap:anywhere}\n",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,"
    "1fr));gap:10px;margin:22px 0 6px}\n",
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:"
    "8px;padding:12px 14px}\n",
    ".tile b{display:block;font-size:24px;line-height:1.25;font-weight:650;"
    "font-variant-numeric:tabular-nums}\n",
    ".tile span{color:var(--soft);font-size:13px;display:block;line-height:"
    "1.35}\n",
    ".scroll{overflow-x:auto;margin:12px 0 4px}\n",
    "table{border-collapse:collapse;width:100%;font-variant-numeric:"
    "tabular-nums}\n",
    "th,td{padding:6px 10px 6px 0;border-bottom:1px solid var(--line);"
    "text-align:left;vertical-align:baseline}\n",
    "th{font-weight:600;font-size:13px;color:var(--soft);line-height:1.3;"
    "vertical-align:bottom}\n",
    "td.n,th.n{text-align:right;white-space:nowrap;padding-left:8px}\n",
    "th.n{white-space:normal}\n",
    "td.name{font-weight:600;white-space:nowrap}\n",
    "td.wide{overflow-wrap:anywhere}\n",
    ".key{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13.5px;margin:"
    "8px 0;padding:0;list-style:none;color:var(--soft)}\n",
    ".key i{display:inline-block;width:12px;height:12px;border-radius:2px;"
    "margin-right:6px;vertical-align:-1px}\n",
    ".bar{display:flex;height:12px;min-width:90px;border-radius:3px;overflow:"
    "hidden;background:var(--line)}\n",
    ".bar i{display:block;height:100%}\n",
    ".track{background:none}\n",
    ".rows{display:grid;grid-template-columns:minmax(6em,max-content) 1fr "
    "max-content;gap:5px 12px;align-items:center;margin:10px 0;"
    "font-variant-numeric:tabular-nums}\n",
    ".rows .label{overflow-wrap:anywhere;line-height:1.25;font-size:14px}\n",
    ".rows .val{font-size:13.5px;color:var(--soft);text-align:right;"
    "line-height:1.25}\n",
    ".rows .bar{height:16px;min-width:60px}\n",
    ".pair{margin:18px 0 0}\n",
    ".pair .rows{margin:4px 0;grid-template-columns:13em 1fr 5.5em}\n",
    ".b-hesca{background:var(--hesca)}.b-grid{background:var(--grid)}"
    ".b-orig{background:var(--orig)}.b-wait{background:var(--wait)}"
    ".b-copy{background:var(--copy)}.b-scal{background:var(--scal)}\n",
    ".b-scalwait{background:var(--scalwait)}\n",
    ".b-guess{background:var(--card);border:1.5px dashed "
    "var(--orig);border-radius:"
    "3px}\n",
    ".f-hesca{fill:var(--hesca)}.f-wait{fill:var(--wait)}.f-copy{fill:var("
    "--copy)}.f-scal{fill:var(--scal)}.f-scalwait{fill:var("
    "--scalwait)}.f-host{fill:var(--soft)}.f-none{fill:var(--line)}\n",
    ".strip{display:block;width:100%;height:150px;background:var(--card)}\n",
    ".thin{height:44px;margin-top:6px}.tick{height:10px;margin-top:2px}\n",
    ".axis{display:flex;justify-content:space-between;color:var(--soft);"
    "font-size:12.5px}\n",
    ".chart{display:grid;grid-template-columns:max-content 1fr;gap:2px 8px}\n",
    ".chart .y{display:flex;flex-direction:column;justify-content:"
    "space-between;text-align:right;color:var(--soft);font-size:12.5px;"
    "line-height:1}\n",
    ".chart svg{display:block;width:100%;height:220px;background:var(--card);"
    "border-left:1px solid var(--line);border-bottom:1px solid var(--line)}\n",
    ".chart .axis{grid-column:2}\n",
    "svg polyline{fill:none;stroke-width:2;vector-effect:non-scaling-stroke;"
    "stroke-linejoin:round}\n",
    ".many polyline{stroke-width:1;stroke-opacity:.55}\n",
    ".s0{stroke:#2764c8}.s1{stroke:#d9731a}.s2{stroke:#0f8a86}.s3{stroke:"
    "#b8417f}.s4{stroke:#8a70c4}.s5{stroke:#78902c}.s6{stroke:#c0392b}.s7{"
    "stroke:#6b7687}\n",
    ".k0{background:#2764c8}.k1{background:#d9731a}.k2{background:#0f8a86}"
    ".k3{background:#b8417f}.k4{background:#8a70c4}.k5{background:#78902c}"
    ".k6{background:#c0392b}.k7{background:#6b7687}\n",
    ".matrix{width:auto;border-collapse:separate;border-spacing:2px;"
    "font-size:13px}\n",
    ".matrix th,.matrix td{border:0;padding:5px 8px;text-align:right;"
    "white-space:nowrap}\n",
    ".matrix td{border-radius:3px;background:var(--card);min-width:4.5em}\n",
    ".map{display:block;width:100%;max-width:560px;background:var(--card)}\n",
    ".map rect{fill:var(--hesca)}\n",
    ".tips{margin:12px 0;padding:0;list-style:none;display:grid;gap:8px}\n",
    ".tips li{background:var(--tip);border-left:4px solid var(--tipline);"
    "border-radius:4px;padding:9px 14px;max-width:90ch}\n",
    ".tips b{display:block}\n",
    ".warn{background:var(--tip);border-left:4px solid var(--tipline);"
    "padding:9px 14px;border-radius:4px;margin:14px 0}\n",
    "details{margin:10px 0}summary{cursor:pointer;color:var(--soft)}\n",
    "footer{margin-top:48px;border-top:1px solid var(--line);padding-top:"
    "12px;color:var(--soft);font-size:13px}\n",
    "@media(max-width:600px){main{padding:18px 14px 40px}h1{font-size:22px}"
    ".tiles{grid-template-columns:1fr 1fr}.tile b{font-size:20px}"
    ".pair .rows{grid-template-columns:7.2em 1fr 4.6em}"
    ".rows{gap:6px 8px;grid-template-columns:minmax(4em,32%) 1fr "
    "max-content}.rows .label,.rows "
    ".val{font-size:12.5px}td,th{font-size:13px}"
    "}\n",
    "@media print{body{font-size:11px}h2{break-after:avoid}.tile,.bar i,"
    ".strip,.chart svg,.matrix td{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}}\n"};

void
hesca_page_style(hesca_text *t)
{
    hesca_text_add(t, "<style>\n");
    for (size_t k = 0; k < sizeof style / sizeof *style; ++k)
        hesca_text_add(t, "%s", style[k]);
    hesca_text_add(t, "</style>\n");
}
