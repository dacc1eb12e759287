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

/** An authenticator app that implements RFC 6238 and RFC 4226 without a library. */
export class Authenticator {
  private readonly key: Buffer;

  constructor(
    readonly secret: string,
    private readonly clock: Pick<TestClock, 'now' | 'advance' | 'hold'>,
  ) {
    // Without a stopped clock, a code could expire on a busy machine before the test sends it.
    clock.hold();
    this.key = bytesOf(secret.replaceAll(' ', ''));
  }

  /** Returns the code for now. `inSeconds` shifts the time and may be negative. */
  code(inSeconds = 0): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(
      BigInt(Math.floor((this.clock.now().getTime() / 1000 + inSeconds) / 30)),
    );
    const mac = createHmac('sha1', this.key).update(counter).digest();
    const truncated = mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff;
    return String(truncated % 1_000_000).padStart(6, '0');
  }

  /** Advances the clock to the next code. */
  nextCode(): string {
    this.clock.advance(30);
    return this.code();
  }

  /** Returns six digits that are not a valid code within a minute of now. */
  wrongCode(): string {
    const codes = [-60, -30, 0, 30, 60].map((seconds) => this.code(seconds));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !codes.includes(code),
    )!;
  }
}

const PATH = '/account/second-factor';

/** Returns the key from the page that enables the second factor. */
export const keyIn = (html: string): string =>
  /id="factor-key">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '';

export const recoveryCodesIn = (html: string): string[] =>
  [...html.matchAll(/<code>([a-z2-7-]{29})<\/code>/g)].map(([, code = '']) => code);

/** A logged-in browser of a user with a second factor. */
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

  /** `known` is a user without a second factor. By default, it is a new user. */
  static async of(
    app: TestApp,
    known?: PageVisitor & { readonly user: SignedIn },
  ): Promise<ProtectedVisitor> {
    const visitor = known ?? (await aVisitor(app));
    const { user } = visitor;
    const page = await visitor.open(PATH).expect(200);
    const authenticator = new Authenticator(keyIn(page.text), app.clock);
    const fields = { current: user.password, otp: authenticator.code(), change: 'on' };
    const answer = await visitor.submit(formIn(page, PATH), fields).expect(200);
    return new ProtectedVisitor(app, visitor, authenticator, recoveryCodesIn(answer.text));
  }

  /** Logs in through the API. */
  login(otp?: unknown, facts: Partial<SignedIn> = {}) {
    const { email, password } = { ...this.user, ...facts };
    return new AccountApi(this.app).post('/login', { email, password, otp });
  }

  /** Logs in. Returns the status and the error code. */
  async outcome(otp?: unknown, facts: Partial<SignedIn> = {}): Promise<unknown[]> {
    const { status, body } = await this.login(otp, facts);
    return [status, body.code];
  }

  async change(change: string, fields: { current?: string; otp: string }) {
    const form = await this.visitor.form(PATH, PATH);
    return this.visitor.submit(form, { current: this.user.password, ...fields, change });
  }
}
