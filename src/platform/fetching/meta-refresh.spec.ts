import { processorSeconds } from '../../../test/support/processor-time.js';
import { metaRefresh } from './meta-refresh.js';

const refreshOf = (html: string): string | undefined => metaRefresh(Buffer.from(html));
const meta = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;

describe('the refresh of a page', () => {
  it.each([
    ['0; url=http://a.example/', 'http://a.example/'],
    ['0;URL=/next', '/next'],
    ['5, url = /next', '/next'],
    ['0 /next', '/next'],
    ['  0 ;  url="/a b" ignored', undefined],
    ['0;url=&quot;/quoted&quot; rest', '/quoted'],
    ["0;url='/quoted'", '/quoted'],
    ['0.5;url=/x?a=1&amp;b=2', '/x?a=1&b=2'],
    ['6;url=/later', undefined],
    ['300', undefined],
    ['0', undefined],
    ['0;url=', undefined],
    ['url=/x', undefined],
    ['', undefined],
  ])('is read from %s', (content, target) => {
    expect(refreshOf(meta(content))).toBe(target);
  });

  it.each([
    ['in any case', '<META HTTP-EQUIV=Refresh CONTENT="0;url=/x">', '/x'],
    ['the first of two', meta('0;url=/x') + meta('0;url=/y'), '/x'],
    ['not in a comment', `<!-- ${meta('0;url=/x')} -->`, undefined],
    ['not in a script', `<script>"${meta('0;url=/x').replaceAll('"', "'")}"</script>`, undefined],
    ['not of another kind', '<meta http-equiv="refreshed" content="0;url=/x">', undefined],
    ['without scripts, in a notice', `<noscript>${meta('0;url=/x')}</noscript><p>Wait`, '/x'],
    [
      'without scripts, in a page to read',
      `<noscript>${meta('0;url=/x')}</noscript><p>${'word '.repeat(100)}`,
      undefined,
    ],
    ['not beyond the top', `${'<p>'.repeat(30_000)}${meta('0;url=/x')}`, undefined],
  ])('is seen %s', (_where, html, target) => {
    expect(refreshOf(html)).toBe(target);
  });

  it.each([
    meta(`0${' '.repeat(60_000)}`),
    meta('0'.repeat(60_000)),
    meta(';'.repeat(60_000)),
    meta('0;').repeat(2000),
    '<meta http-equiv '.repeat(4000),
    '<noscript>'.repeat(6000) + meta('0;'),
  ])('takes no long time: %.50s', async (html) => {
    expect(await processorSeconds(() => refreshOf(html))).toBeLessThan(5);
  });
});
