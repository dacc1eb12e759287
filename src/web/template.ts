const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
];

/** The content security policy of pages without scripts. Their forms can be sent only to this service. */
const PAGE_POLICY = [...POLICY, `form-action 'self'`].join(';');

/** The content security policy of the login pages. Their script may only send requests to this service. */
const LOGIN_POLICY = [PAGE_POLICY, `script-src 'self'`, `connect-src 'self'`].join(';');

/**
 * The content security policy of the reader. The pages of the reader may also run scripts of this service. These
 * scripts may send requests to this service, and play sounds that they create (listen-media.js).
 */
const READER_POLICY = [
  PAGE_POLICY,
  `script-src 'self'`,
  `connect-src 'self'`,
  `font-src 'self'`,
  `media-src blob:`,
  `manifest-src 'self'`,
  `worker-src 'self'`,
].join(';');

/**
 * The content security policy of articles. Articles may also show pictures whose data is in their HTML. Browsers never
 * run the scripts of such pictures.
 */
const ARTICLE_POLICY = READER_POLICY.replace(`img-src 'self'`, `img-src 'self' data:`);

/** The content security policy of the page around a snapshot, which is a document of this service in a frame. */
const SNAPSHOT_PAGE_POLICY = `${READER_POLICY};frame-src 'self'`;

/** The content security policy of articles that visitors without an account read. It allows no scripts and no forms. */
const SHARED_POLICY = [
  ...POLICY.filter((rule) => !rule.startsWith('img-src')),
  `img-src 'self' data:`,
  `form-action 'none'`,
].join(';');

/**
 * The content security policy of pages whose forms redirect to an application. The policy has no `form-action`, because
 * browsers would apply `form-action` to every redirect after the form, even to a custom scheme.
 */
const LEAVING_POLICY = POLICY.join(';');

/**
 * Sends the referrer only to this site. With `no-referrer`, browsers would send forms with the
 * origin `null`. Over plain HTTP, the service could then not check that a form is from this site
 * (request-origin.ts).
 */
const REFERRER_POLICY = 'same-origin';

/**
 * The kind of a page, which determines its content security policy: no scripts, the script of a login, scripts of this
 * service, scripts of this service and an article, scripts of this service and a snapshot, an article without scripts, or
 * forms that redirect to an application.
 */
type PageKind = 'static' | 'login' | 'reader' | 'article' | 'snapshot' | 'shared' | 'leaving';

const POLICIES: Readonly<Record<PageKind, string>> = {
  static: PAGE_POLICY,
  login: LOGIN_POLICY,
  reader: READER_POLICY,
  article: ARTICLE_POLICY,
  snapshot: SNAPSHOT_PAGE_POLICY,
  shared: SHARED_POLICY,
  leaving: LEAVING_POLICY,
};

interface PageAnswer {
  readonly status?: number;
  /** True if the address of the page contains a secret. Browsers must not send such an address as a referrer. */
  readonly hasSecretAddress?: boolean;
  readonly kind?: PageKind;
}

/** A page that is not rendered yet. */
export class ShownPage {
  readonly status: number;
  readonly headers: Readonly<Record<'Content-Security-Policy' | 'Referrer-Policy', string>>;

  constructor(
    /** The path of the template relative to src/web, without the extension `.eta`. */
    readonly template: string,
    readonly model: object,
    { status = 200, hasSecretAddress = false, kind = 'static' }: PageAnswer,
  ) {
    const isHidden = hasSecretAddress || kind === 'leaving';
    this.status = status;
    this.headers = {
      'Content-Security-Policy': POLICIES[kind],
      'Referrer-Policy': isHidden ? 'no-referrer' : REFERRER_POLICY,
    };
  }
}

/** A template of a page, and the type of its values. */
export class Template<Model extends object> {
  constructor(
    private readonly path: string,
    private readonly defaults: PageAnswer = {},
  ) {}

  page(model: Model, answer: PageAnswer = {}): ShownPage {
    return new ShownPage(this.path, model, { ...this.defaults, ...answer });
  }
}
