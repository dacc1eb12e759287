import { extractPage } from '../extract-page.js';

const PARAGRAPH = `<p>${'The keeper reads the gauge on the bridge every four minutes, and writes it down. '.repeat(4)}</p>`;
const extracted = (html: string) =>
  extractPage({
    html: `<html><body><article><h1>On tides</h1>${PARAGRAPH}${html}${PARAGRAPH}</article></body></html>`,
    url: 'https://courier.example/tides',
  });

describe('embedded content leaves a link', () => {
  it.each([
    [
      '<iframe src="https://www.google.com/maps/embed?pb=1" title="Where the pier is"></iframe>',
      'https://www.google.com/maps/embed?pb=1',
      'Where the pier is (google.com)',
    ],
    [
      '<iframe data-src="https://datawrapper.dwcdn.net/aBc12/3/" src="about:blank"></iframe>',
      'https://datawrapper.dwcdn.net/aBc12/3/',
      'datawrapper.dwcdn.net/aBc12/3',
    ],
    [
      '<iframe class="mastodon-embed" src="https://mastodon.example/@ada/1234/embed"></iframe>',
      'https://mastodon.example/@ada/1234',
      'mastodon.example/@ada/1234',
    ],
    [
      '<iframe src="https://open.spotify.com/embed/episode/4abc?utm=x" title="Bells"></iframe>',
      'https://open.spotify.com/episode/4abc',
      'Bells (open.spotify.com)',
    ],
    [
      '<iframe src="https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/ada/bells&color=red"></iframe>',
      'https://soundcloud.com/ada/bells',
      'soundcloud.com/ada/bells',
    ],
    [
      '<iframe src="https://embed.bsky.app/embed/did:plc:abc/app.bsky.feed.post/3kx"></iframe>',
      'https://bsky.app/profile/did:plc:abc/post/3kx',
      'bsky.app/profile/did:plc:abc/post/3kx',
    ],
    [
      '<iframe title="The flood" src="https://tube.example/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d"></iframe>',
      'https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d',
      'The flood (tube.example)',
    ],
    [
      '<object data="/files/report.pdf" type="application/pdf" title="The report"></object>',
      'https://courier.example/files/report.pdf',
      'The report (courier.example)',
    ],
    [
      '<embed src="/files/report.pdf">',
      'https://courier.example/files/report.pdf',
      'courier.example/files/report.pdf',
    ],
    [
      '<object data="/files/report.pdf"><p>Download <a href="/files/report.pdf">the report</a></p></object>',
      'https://courier.example/files/report.pdf',
      'the report (courier.example)',
    ],
    [
      '<script src="https://gist.github.com/ada/0123456789abcdef.js"></script>',
      'https://gist.github.com/ada/0123456789abcdef',
      'gist.github.com/ada/0123456789abcdef',
    ],
    [
      '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/ABC123/"><a href="https://www.instagram.com/p/ABC123/">A post shared by Ravi</a></blockquote>',
      'https://www.instagram.com/p/ABC123/',
      'A post shared by Ravi (instagram.com)',
    ],
    [
      '<blockquote class="tiktok-embed" cite="https://www.tiktok.com/@quay/video/77"><section><p>Ropes, and how they end in the harbour.</p></section></blockquote>',
      'https://www.tiktok.com/@quay/video/77',
      'tiktok.com/@quay/video/77',
    ],
    [
      '<div class="fb-post" data-href="https://www.facebook.com/quay/posts/99"></div>',
      'https://www.facebook.com/quay/posts/99',
      'facebook.com/quay/posts/99',
    ],
    [
      '<amp-twitter data-tweetid="123456789"></amp-twitter>',
      'https://twitter.com/i/status/123456789',
      'twitter.com/i/status/123456789',
    ],
  ])('%s', (html, href, label) => {
    expect(extracted(html).articleHtml).toContain(
      `<a href="${href}" rel="noopener noreferrer">${label}</a>`,
    );
  });

  it.each([
    '<iframe src="https://www.googletagmanager.com/ns.html?id=1" title="Tags"></iframe>',
    '<iframe src="https://widgets.example/pixel" width="1" height="1"></iframe>',
    '<iframe src="https://ads.example/banner" title="Advertisement"></iframe>',
    '<iframe src="https://www.facebook.com/plugins/like.php?href=https://courier.example"></iframe>',
    '<div class="share-buttons" data-url="https://courier.example/tides"></div>',
    '<script src="https://platform.twitter.com/widgets.js"></script>',
  ])('but not %s', (html) => {
    expect(extracted(html).articleHtml).not.toContain('<a ');
  });

  it('only once beside a link to the same page', () => {
    const { articleHtml } = extracted(
      '<p>See the Pen <a href="https://codepen.io/ada/pen/aBc">The gauge</a>.</p><iframe src="https://codepen.io/ada/embed/aBc?tab=js"></iframe>',
    );

    expect(articleHtml.match(/codepen\.io/gu)).toHaveLength(1);
  });
});

describe('a video that a script loads later is a video', () => {
  it.each([
    '<iframe data-src="https://www.youtube-nocookie.com/embed/abcDEF12345" src="about:blank"></iframe>',
    '<iframe data-cookieblock-src="https://www.youtube.com/embed/abcDEF12345"></iframe>',
    '<div class="rll-youtube-player" data-src="https://www.youtube.com/embed/abcDEF12345"></div>',
    '<lite-youtube videoid="abcDEF12345"></lite-youtube>',
    '<div class="youtube-lazy" data-id="abcDEF12345"></div>',
    '<amp-youtube data-videoid="abcDEF12345"></amp-youtube>',
    '<figure><oembed url="https://www.youtube.com/watch?v=abcDEF12345"></oembed></figure>',
    `<div data-settings='{"youtube_url":"https:\\/\\/www.youtube.com\\/watch?v=abcDEF12345"}'></div>`,
  ])('%s', (html) => {
    const page = extracted(html);

    expect(page.videos).toEqual([expect.objectContaining({ type: 1, vid: 'abcDEF12345' })]);
    expect(page.articleHtml).toMatch(/<iframe [^>]*src="https:\/\/www\.youtube[^"]*abcDEF12345"/u);
  });
});

it('keeps a recording that is alone in its box', () => {
  expect(extracted('<div><audio src="/ep11.mp3"></audio></div>').articleHtml).toContain(
    '<audio src="https://courier.example/ep11.mp3" controls></audio>',
  );
});

it('has the recording of an episode that only the head of the page declares', () => {
  const episode = { '@type': 'PodcastEpisode', associatedMedia: { contentUrl: '/ep11.mp3' } };
  const data = `<script type="application/ld+json">${JSON.stringify(episode)}</script>`;

  expect(extracted(data).articleHtml).toContain('src="https://courier.example/ep11.mp3"');
});

it('keeps a link of the author before the frame of the same page', () => {
  const map = 'https://maps.example/m/1';
  const { articleHtml } = extracted(
    `<p>Please read <a href="${map}">the report of the harbour</a><iframe src="${map}"></iframe> first.</p>`,
  );
  expect(articleHtml).toContain('>the report of the harbour</a>');
});
