import { extractPage } from '../extract-page.js';
import type { PageContent } from '../page-content.js';

const QUOTE = 'A reef knot never comes loose, as we all know, if both lines are of the same size.';
const OWN =
  'That is not what we saw last winter. Two lines of different size held for an hour and then slipped.';
const MAIL = `On Mon, Mar 11, 2024 at 10:00:00AM +0000, Bo Larsen wrote:
&gt; A reef knot never comes loose, as we all know, if
&gt; both lines are of the same size.

That is not what we saw last winter. Two lines of different
size held for an hour and then slipped.

Ines
`;
const LINKS = '<ul><li>Previous message: <a href="000122.html">[knots] Bowlines</a></li></ul>';

const PIPERMAIL = `<HTML><HEAD><TITLE> [knots] Reef knots
 </TITLE></HEAD><BODY BGCOLOR="#ffffff"><H1>[knots] Reef knots</H1><B>Ines Marlow</B>
 <A HREF="mailto:knots%40mail.example?Subject=Re">ines at harbour.example</A><BR>
 <I>Tue Mar 12 09:15:02 CET 2024</I><P>${LINKS}<HR><!--beginarticle-->
 <PRE>${MAIL.replaceAll(/&gt; (.*)\n/gu, '&gt;<i> $1\n</I>')}</PRE><!--endarticle--><HR><P>${LINKS}<hr>
 <a href="/listinfo/knots">More information about the knots mailing list</a></body></html>`;

const HYPERKITTY = `<title>[knots] Reef knots - lists.example</title><nav><a href="/">lists.example</a></nav>
 <div class="page-header"><h3 class="title">[knots] Reef knots</h3></div><section class="message"><div class="email">
 <div class="email-header"><div class="email-info"><div class="email-author"><h2 class="name"><a href="/users/1/">Ines Marlow</a></h2></div>
 <div class="time"><span class="time" title="March 12, 2024, 9:15 a.m.">9:15 a.m.</span></div></div></div>
 <div class="email-body"><p>On Mon, Mar 11, 2024 at 10:00:00AM +0000, Bo Larsen wrote:</p><div class="quoted-switch"><a href="#">...</a></div>
 <blockquote class="quoted-text"><p>${QUOTE}</p></blockquote><p>${OWN}</p><p>Ines</p></div>
 <div class="email-info"><a href="reply">Reply</a></div></div></section><footer>Powered by HyperKitty</footer>`;

const MAIL_ARCHIVE = `<title>[knots] Reef knots</title><body itemscope itemtype="http://schema.org/Article"><div class="msgHead">
 <h1><span class="subject"><a href="/search">[knots] Reef knots</a></span></h1><p><span class="sender pipe"><a href="/search"><span itemprop="author"><span itemprop="name">Ines Marlow via knots</span></span></a></span>
 <span class="date"><a href="/search">Tue, 12 Mar 2024 01:15:02 -0700</a></span></p></div>
 <div itemprop="articleBody" class="msgBody"><pre>${MAIL}</pre></div><ul><li><a href="msg00122.html">Previous message</a></li></ul>
 <h2> Reply via email to </h2>`;

const LORE = `<title>[knots] Reef knots - Ines Marlow</title><form action="../"><pre><a href="../"><b>knots archive mirror</b></a>
 <input name=q type=text /></pre></form><pre><a href="#ra" id=t>From: Ines Marlow &lt;ines@harbour.example&gt;</a>
To: knots@list.example
Subject: <a href="#r" id=t>[knots] Reef knots</a>
Date: Tue, 12 Mar 2024 09:15:02 +0000	[thread overview]
Message-ID: &lt;2024@harbour.example&gt; (<a href="raw">raw</a>)

${MAIL.replace(/&gt;[^]*size\.\n/u, '<span\nclass="q">$&</span>')}</pre><hr><pre>reply	other threads:[<a href="x">newest</a>]
<b>Thread overview:</b> 2+ messages</pre><hr><pre>This is a public inbox, see <a href="x">mirroring instructions</a></pre>`;

const read = (html: string, url: string): PageContent => extractPage({ html, url });

describe('a message in the archive of a mailing list', () => {
  it.each([
    ['Pipermail', PIPERMAIL, 'https://mail.example/pipermail/knots/2024-March/000123.html'],
    [
      'HyperKitty',
      HYPERKITTY,
      'https://lists.example/archives/list/knots@list.example/message/ABC/',
    ],
    [
      'The Mail Archive',
      MAIL_ARCHIVE,
      'https://www.mail-archive.com/knots@list.example/msg00123.html',
    ],
    ['public-inbox', LORE, 'https://lore.kernel.org/knots/2024@harbour.example/'],
  ])('of %s has its title, author, date and text, and a quotation', (_name, html, url) => {
    const page = read(html, url);

    expect(page).toMatchObject({ title: '[knots] Reef knots', publishedDay: '2024-03-12' });
    expect(page.authors.map(({ name }) => name)).toEqual(['Ines Marlow']);
    expect(page.text.split('\n')).toEqual([
      'On Mon, Mar 11, 2024 at 10:00:00AM +0000, Bo Larsen wrote:',
      QUOTE,
      OWN,
      'Ines',
    ]);
    expect(page.articleHtml).toContain(`<blockquote><p>${QUOTE}</p></blockquote>`);
  });

  const pipermail = (mail: string): string =>
    read(
      `<h1>Knots</h1><b>Ines</b><pre>${mail}</pre>`,
      'https://mail.example/pipermail/knots/2024q1/000123.html',
    ).articleHtml;

  it('has quotations of quotations', () => {
    expect(pipermail('Yes.\n\n&gt; No.\n&gt;&gt; Perhaps.\n&gt; &gt; Or not.\n')).toContain(
      '<p>Yes.</p><blockquote><p>No.</p><blockquote><p>Perhaps.<br />Or not.</p></blockquote></blockquote>',
    );
  });

  it('keeps the lines of a patch', () => {
    const patch =
      '---\n knot.c | 2 +-\n\ndiff --git a/knot.c b/knot.c\n@@ -1 +1 @@\n-tie(1);\n+tie(2);';

    expect(pipermail(`Tie it twice.\n\n${patch}\n`)).toContain(`<p>Tie it twice.</p><pre>${patch}`);
  });

  it('is shown as it is if it has very many lines', () => {
    expect(pipermail('a\n&gt; b\n'.repeat(4_000))).toMatch(/<pre>a\n&gt; b\n/u);
  });
});

it('leaves an article whose address only looks like that of a message', () => {
  const prose = `<p>${'The keepers mend their nets, early in the morning. '.repeat(20)}</p>`;
  const { text } = extractPage({
    html: `<title>Nets</title><body><h1>Nets</h1>${prose}<pre>knot --tie</pre>${prose}</body>`,
    url: 'https://paper.example/news/2024/123456.html',
  });

  expect(text).toContain('The keepers mend their nets');
});
