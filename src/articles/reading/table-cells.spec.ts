import { articleMarkdown } from './article-markdown.js';

it.each([
  [
    '<table><tr><th rowspan="2">H</th><th colspan="2">Fares<br>now</th></tr><tr><td>a</td><td>b</td></tr></table>',
    '| H | Fares now |  |\n| --- | --- | --- |\n|  | a | b |\n',
  ],
  ['<p>10<sup>6</sup> H<sub>2</sub>O</p>', '10<sup>6</sup> H<sub>2</sub>O\n'],
  ['<p><ruby>漁師<rt>りょうし</rt></ruby></p>', '漁師(りょうし)\n'],
  ['<p><ruby>漁師<rp>(</rp><rt>りょうし</rt><rp>)</rp></ruby></p>', '漁師(りょうし)\n'],
])('%s is %j in Markdown', (html, markdown) => {
  expect(articleMarkdown(html)).toBe(markdown);
});
