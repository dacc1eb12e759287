import { knownPlayerOf, playerOf } from './players.js';

it.each([
  ['https://www.youtube.com/embed/abcDEF12345?rel=0', 1, 'abcDEF12345'],
  ['https://www.youtube-nocookie.com/embed/abcDEF12345', 1, 'abcDEF12345'],
  ['https://www.youtube.com/watch?list=x&v=abcDEF12345', 1, 'abcDEF12345'],
  ['http://www.youtube.com/v/abcDEF12345&hl=en', 1, 'abcDEF12345'],
  ['https://m.youtube.com/shorts/abcDEF12345', 1, 'abcDEF12345'],
  ['https://youtu.be/abcDEF12345?t=9', 1, 'abcDEF12345'],
  ['https://www.youtube.com/embed/videoseries?list=PL12', 7, 'PL12'],
  ['https://vimeo.com/123456', 2, '123456'],
  ['http://vimeo.com/moogaloop.swf?clip_id=123456&server=vimeo.com', 3, '123456'],
  ['https://player.vimeo.com/video/123456?title=0', 4, '123456'],
  ['https://players.brightcove.net/99/default_default/index.html?videoId=6001', 8, '6001'],
  ['https://www.dailymotion.com/embed/video/x7abc', 9, 'x7abc'],
  ['https://geo.dailymotion.com/player/x1.html?video=x7abc', 9, 'x7abc'],
  ['https://dai.ly/x7abc', 9, 'x7abc'],
  ['https://player.twitch.tv/?video=v99&parent=x', 7, 'v99'],
  [
    'https://tube.example/videos/embed/0b04f13d-1e18-4f1d-814e-4979aa7c9c44',
    7,
    '0b04f13d-1e18-4f1d-814e-4979aa7c9c44',
  ],
])('%s', (address, type, vid) => {
  expect(playerOf(address)).toEqual({ type, vid });
});

it.each([
  'https://www.youtube.com/',
  'https://www.youtube.com/user/someone',
  'https://www.youtube.com.evil.example/embed/abcDEF12345',
  'https://vimeo.com/blog',
  'https://www.dailymotion.com/',
  'https://example.com/embed/abcDEF12345',
  'https://www.youtube.com/embed/%E0%A4%A',
  'not an address',
  '',
])('%s plays nothing', (address) => {
  expect(playerOf(address)).toBeUndefined();
});

it('keeps an id that is not of UTF-8 as it is written', () => {
  expect(playerOf('https://archive.org/embed/%ff')).toEqual({ type: 7, vid: '%ff' });
});

it('knows PeerTube anywhere, but no host for it', () => {
  const address = 'https://anywhere.example/videos/embed/0123456789abcdef01234';

  expect(playerOf(address)).toEqual({ type: 7, vid: '0123456789abcdef01234' });
  expect(knownPlayerOf(address)).toBeUndefined();
  expect(knownPlayerOf('https://player.vimeo.com/video/1')).toEqual({ type: 4, vid: '1' });
});
