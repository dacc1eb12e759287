import { createHmac } from 'node:crypto';

import { AccountApi, type SignedIn } from './account-api.js';
import { aVisitor } from './oauth-api.js';
import { formIn, type PageVisitor } from './page-visitor.js';
import type { TestApp, TestClock } from './test-app.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** An authenticator app, written after RFC 6238 and RFC 4226 without a library. */
export class Authenticator {
  private readonly key: Buffer;

  constructor(
    readonly secret: string,
    private readonly clock: Pick<TestClock, 'now' | 'advance' | 'hold'>,
  ) {
    // On a busy machine a code would run out before the test has sent it.
    clock.hold();
    this.key = bytesOf(secret.replaceAll(' ', ''));
  }

  /** The code that the app shows, or has shown or will show. */
  code(inSeconds = 0): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(
      BigInt(Math.floor((this.clock.now().getTime() / 1000 + inSeconds) / 30)),
    );
    const mac = createHmac('sha1', this.key).update(counter).digest();
    const truncated = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
    return String(truncated % 1_000_000).padStart(6, '0');
  }

  /** Waits for a code that was not shown before. */
  nextCode(): string {
    this.clock.advance(30);
    return this.code();
  }

  /** Six digits that are no code at about this time. */
  wrongCode(): string {
    const codes = [-60, -30, 0, 30, 60].map((seconds) => this.code(seconds));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !codes.includes(code),
    )!;
  }
}

const PATH = '/account/second-factor';

/** The key on the page that turns the second factor on. */
export const keyIn = (html: string): string =>
  /id="factor-key">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '';

export const recoveryCodesIn = (html: string): string[] =>
  [...html.matchAll(/<code>([a-z2-7-]{19})<\/code>/g)].map(([, code = '']) => code);

/** A user with a second factor, who is logged in to the pages. */
export class ProtectedVisitor {
  private constructor(
    private readonly app: TestApp,
    readonly visitor: PageVisitor & { readonly user: SignedIn },
    readonly authenticator: Authenticator,
    readonly recoveryCodes: readonly string[],
  ) {}

  get user(): SignedIn {
    return this.visitor.user;
  }

  static async of(app: TestApp): Promise<ProtectedVisitor> {
    const visitor = await aVisitor(app);
    const { user } = visitor;
    const page = await visitor.open(PATH).expect(200);
    const authenticator = new Authenticator(keyIn(page.text), app.clock);
    const fields = { current: user.password, otp: authenticator.code(), change: 'on' };
    const answer = await visitor.submit(formIn(page, PATH), fields).expect(200);
    return new ProtectedVisitor(app, visitor, authenticator, recoveryCodesIn(answer.text));
  }

  /** A login of the API. */
  login(otp?: unknown, facts: Partial<SignedIn> = {}) {
    const { email, password } = { ...this.user, ...facts };
    return new AccountApi(this.app).post('/login', { email, password, otp });
  }

  /** Status and code of a login. */
  async outcome(otp?: unknown, facts: Partial<SignedIn> = {}): Promise<unknown[]> {
    const { status, body } = await this.login(otp, facts);
    return [status, body.code];
  }

  async change(change: string, fields: { current?: string; otp: string }) {
    const form = await this.visitor.form(PATH, PATH);
    return this.visitor.submit(form, { current: this.user.password, ...fields, change });
  }
}
