import { safeStyles } from './safe-styles.js';

it.each([
  ['a { color: red }', 'a { color: red }'],
  ['a { background: url(https://x.example/a) }', 'a { background: url() }'],
  ["a { background: url('//x.example/a') }", 'a { background: url("") }'],
  [String.raw`a { background: \75rl(https://x.example/a) }`, 'a { background: url() }'],
  [String.raw`a { background: u\72l("/a") }`, String.raw`a { background: u\72l("") }`],
  ['a { background: image-set("a.png" 1x) }', 'a { background: image-set("" 1x) }'],
  ['a { background: image-set((("a.png")) 1x) }', 'a { background: image-set((("")) 1x) }'],
  ['a { background: src("a.png") }', 'a { background: src("") }'],
  [
    'a { background: url(data:image/png;base64,AA==) }',
    'a { background: url(data:image/png;base64,AA==) }',
  ],
  ['a { fill: url(#part) }', 'a { fill: url(#part) }'],
  ['a::before { content: "url(x)" }', 'a::before { content: "url(x)" }'],
  ['@import "x.css"; b {}', '  b {}'],
  ['@IMPORT url(x.css) screen; b {}', '  b {}'],
  [String.raw`@\69mport "x.css"; b {}`, '  b {}'],
  ['a { } /* @import "x" */ b { }', 'a { }   b { }'],
  ['a { content: "</style><b>" }', String.raw`a { content: "\3c /style>\3c b>" }`],
  ['a<url(b)/style> { }', 'a< url()/style> { }'],
  ['@media (width<600px) and (400px<=width) {}', '@media (width< 600px) and (400px<=width) {}'],
  [
    String.raw`a { } \<img src=x onerror=alert(1)>`,
    String.raw`a { } \3c img src=x onerror=alert(1)>`,
  ],
  [
    String.raw`#\<b .\&amp { content: "\<b \\<i" }`,
    String.raw`#\3c b .\26 amp { content: "\3c b \\\3c i" }`,
  ],
  ['a { background: &#117;rl(/a) }', 'a { background: &/**/#117;rl(/a) }'],
  ['&lt;img { content: "&lt;" }', String.raw`&/**/lt;img { content: "\26 lt;" }`],
  ['a { &:hover { } }', 'a { &/**/:hover { } }'],
  ['a { background: image-set(var(--x) 1x) }', 'a { background: image-set(none(--x) 1x) }'],
  [
    'a { background: image-set((attr(title)) 1x) }',
    'a { background: image-set((none(title)) 1x) }',
  ],
  ['a { color: var(--x); content: attr(title) }', 'a { color: var(--x); content: attr(title) }'],
  [
    'a { background: image-set(url(data:,) type("image/png")) }',
    'a { background: image-set(url(data:,) type("image/png")) }',
  ],
  ['<!-- a { }', '  a { }'],
  ['a { background: url(x y) }', 'a { background:   }'],
])('makes %s safe', (css, safe) => {
  expect(safeStyles(css)).toBe(safe);
});
