import { parseDocument } from '../../lib/extraction/dom.js';
import { safeSnapshot } from './safe-snapshot.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** The beginning of each snapshot: the character encoding and the policy. */
const HEAD = safeSnapshot('');

const bodyOf = (html: string): string => safeSnapshot(html).replace(HEAD, '');

describe('a snapshot', () => {
  it('begins with a policy that allows no request', () => {
    expect(HEAD).toBe(
      `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; ` +
        `font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    );
    expect(safeSnapshot('<!DOCTYPE html><p>Words')).toBe(`<!doctype html>${HEAD}<p>Words</p>`);
  });

  it.each([
    ['styles', '<style>a { color: red }</style><p style="color:red">Words</p>'],
    ['pictures in the document', `<img alt="A pixel" src="${PIXEL}" />`],
    ['drawings', '<svg viewbox="0 0 1 1"><path d="M0 0h1"></path></svg>'],
    ['shadow trees', '<my-card><template shadowrootmode="open"><slot></slot></template></my-card>'],
    ['links in the document', '<a href="#part">Part</a>'],
    ['names of classes that look like styles', `<p class="bg-[url('/a')] w\\1">Words</p>`],
    ['typed text', '<textarea>1 &lt; 2 &amp; 3</textarea>'],
    ['forms without a target', '<form><input type="text" value="x" /><button>Send</button></form>'],
  ])('keeps %s', (_, html) => {
    expect(bodyOf(html)).toBe(html);
  });

  it.each([
    ['scripts', '<script>alert(1)</script>', ''],
    ['event handlers', '<p onclick="alert(1)">Words</p>', '<p>Words</p>'],
    ['handlers of drawings', '<svg onload="alert(1)"></svg>', '<svg></svg>'],
    ['scripts in drawings', '<svg><script>alert(1)</script></svg>', '<svg></svg>'],
    ['animations', '<svg><set attributename="href" to="javascript:x"></set></svg>', '<svg></svg>'],
    ['redirects', '<meta http-equiv="refresh" content="0;url=https://x.example/">', ''],
    ['the base address', '<base href="https://x.example/">', ''],
    ['linked styles', '<link rel="stylesheet" href="https://x.example/a.css">', ''],
    ['frames', '<iframe srcdoc="<script>alert(1)</script>" src="https://x.example/"></iframe>', ''],
    ['targets of forms', '<form action="https://x.example/"></form>', '<form></form>'],
    [
      'targets of buttons',
      '<button formaction="https://x.example/"></button>',
      '<button></button>',
    ],
    ['pictures of other servers', '<img src="https://x.example/a" srcset="b 1x">', '<img />'],
    [
      'addresses in styles',
      '<p style="background:url(/a)"></p>',
      '<p style="background:url()"></p>',
    ],
    [
      'addresses of drawings',
      '<svg><path fill="url(//x)"></path></svg>',
      '<svg><path fill="url()"></path></svg>',
    ],
    [
      'strings of drawings that are addresses',
      `<svg><path mask='image-set("//x" 1x)'></path></svg>`,
      '<svg><path mask="image-set(&quot;&quot; 1x)"></path></svg>',
    ],
    [
      'references to other files',
      '<svg><use href="/a.svg#b"></use></svg>',
      '<svg><use></use></svg>',
    ],
    ['links that run scripts', '<a href="javascript:alert(1)">Words</a>', '<a>Words</a>'],
    ['links with data', '<a href="data:text/html,x">Words</a>', '<a>Words</a>'],
    ['text for browsers without scripts', '<noscript><img src=x></noscript>', ''],
    ['passwords', '<input type="password" value="secret">', '<input type="password" />'],
    ['imports', '<style>@import "https://x.example/a.css"; a {}</style>', '<style>  a {}</style>'],
    ['templates', '<template><p>Words</p></template>', '<div hidden><p>Words</p></div>'],
  ])('leaves out %s', (_, html, safe) => {
    expect(bodyOf(html)).toBe(safe);
  });

  it('opens links in a new tab', () => {
    expect(bodyOf('<a href="https://x.example/" target="_top" rel="opener">Words</a>')).toBe(
      '<a href="https://x.example/" target="_blank" rel="noopener noreferrer">Words</a>',
    );
  });

  it.each([
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<style><!--</style><img src=x onerror=alert(1)>--></style>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>',
    String.raw`<svg><style>\<img src=x onerror=alert(1)></style></svg>`,
    '<svg><textarea><img src=x onerror=alert(1)></textarea></svg>',
    '<textarea><style></textarea><textarea></style><img src=x onerror=alert(1)></textarea>',
    `${'<b>'.repeat(511)}<style><img src=x onerror=alert(1)></style>`,
    `${'<b>'.repeat(511)}<textarea><img src=x onerror=alert(1)></textarea>`,
    '<svg><title><img src=x onerror=alert(1)></title></svg>',
    '<annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<my-card is="script" onclick=alert(1)>',
  ])('has no handler after it is parsed again: %s', (html) => {
    const safe = safeSnapshot(html);

    expect(safe).not.toMatch(/<[a-z/!?][^>]*\son[a-z]+=/i);
    expect(parseDocument(safe).body.querySelectorAll('[onerror], [onclick], script')).toHaveLength(
      0,
    );
  });

  it('is rejected if its elements are nested too deep', () => {
    expect(() => safeSnapshot('<b>'.repeat(513))).toThrow('nested too deep');
    expect(() => safeSnapshot('<script>'.repeat(2) + '<b></i>'.repeat(513))).not.toThrow();
    expect(() => safeSnapshot('<b></i>'.repeat(513))).toThrow('nested too deep');
  });
});
