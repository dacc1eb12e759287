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
  ['<!-- a { }', '  a { }'],
  ['a { background: url(x y) }', 'a { background:   }'],
])('makes %s safe', (css, safe) => {
  expect(safeStyles(css)).toBe(safe);
});
