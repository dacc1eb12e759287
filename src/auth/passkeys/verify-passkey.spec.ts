import { SoftPasskey } from '../../../test/support/soft-passkey.js';
import { assertionIn, newPasskeyIn, transportsIn } from './passkey-responses.js';
import { checkAnswer, newCredentialOf } from './verify-passkey.js';

const SITE = { origin: 'https://reader.example.com', domain: 'reader.example.com' };
const CHALLENGE = Buffer.from('a challenge').toString('base64url');
const EXPECTED = { site: SITE, isChallenge: (sent: string) => sent === CHALLENGE };
const REQUEST = { challenge: CHALLENGE, rp: { id: SITE.domain }, user: { id: 'dXNlcg' } };

const created = (text: string) => newCredentialOf(newPasskeyIn(text)!, EXPECTED);

describe('newCredentialOf', () => {
  it('returns the public key of a new passkey', async () => {
    const passkey = new SoftPasskey(SITE.origin);

    const credential = await created(passkey.created(REQUEST));

    expect(credential).toMatchObject({ id: passkey.id, counter: 0, challenge: CHALLENGE });
    expect(transportsIn(passkey.created(REQUEST))).toEqual(['internal']);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another domain', { domain: 'evil.example.com' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['another type', { type: 'webauthn.get' }],
    ['no verification of the user', { isUserVerified: false }],
  ])('rejects %s', async (_, deviations) => {
    const passkey = new SoftPasskey(SITE.origin);

    expect(await created(passkey.created(REQUEST, deviations))).toBeUndefined();
  });

  it.each(['packed', 'apple', 'android-key', 'fido-u2f', 'tpm', 'android-safetynet'])(
    'rejects an attestation with a certificate in the format %s',
    async (format) => {
      const attestation = [
        ['fmt', format],
        ['attStmt', new Map([['x5c', [Buffer.from('a certificate')]]])],
      ] as const;

      const text = new SoftPasskey(SITE.origin).created(REQUEST, {}, attestation);

      expect(await created(text)).toBeUndefined();
    },
  );
});

describe('checkAnswer', () => {
  const options = { challenge: CHALLENGE, rpId: SITE.domain };

  async function aPasskey() {
    const passkey = new SoftPasskey(SITE.origin);
    const { publicKey } = (await created(passkey.created(REQUEST)))!;
    return { passkey, publicKey };
  }

  it('returns the challenge and the counter of a correct answer', async () => {
    const { passkey, publicKey } = await aPasskey();
    const answer = assertionIn(passkey.used(options, { counter: 7 }))!;

    const checked = await checkAnswer(answer, publicKey, { ...EXPECTED, mustVerifyUser: true });

    expect(checked).toEqual({ challenge: CHALLENGE, counter: 7 });
  });

  it.each([
    ['another origin', { origin: 'http://reader.example.com' }],
    ['another domain', { domain: 'example.com' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['another type', { type: 'webauthn.create' }],
    ['no verification of the user', { isUserVerified: false }],
  ])('rejects %s', async (_, deviations) => {
    const { passkey, publicKey } = await aPasskey();
    const answer = assertionIn(passkey.used(options, deviations))!;

    const checked = await checkAnswer(answer, publicKey, { ...EXPECTED, mustVerifyUser: true });

    expect(checked).toBeUndefined();
  });

  it('accepts a user who is not verified if this is not required', async () => {
    const { passkey, publicKey } = await aPasskey();
    const answer = assertionIn(passkey.used(options, { isUserVerified: false }))!;

    const checked = await checkAnswer(answer, publicKey, { ...EXPECTED, mustVerifyUser: false });

    expect(checked).toBeDefined();
  });

  it('rejects the signature of another key', async () => {
    const { passkey } = await aPasskey();
    const { publicKey } = await aPasskey();
    const answer = assertionIn(passkey.used(options))!;

    const checked = await checkAnswer(answer, publicKey, { ...EXPECTED, mustVerifyUser: true });

    expect(checked).toBeUndefined();
  });
});

describe('assertionIn', () => {
  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"id":7}',
    '{"id":"a b"}',
    '{"id":"a","x":"' + 'x'.repeat(12_000),
  ])('returns undefined for the invalid text %#', (text) => {
    expect(assertionIn(text)).toBeUndefined();
    expect(newPasskeyIn(text)).toBeUndefined();
  });

  it('survives an answer without a response', async () => {
    const answer = assertionIn('{"id":"a"}')!;

    expect(
      await checkAnswer(answer, Buffer.alloc(0), { ...EXPECTED, mustVerifyUser: true }),
    ).toBeUndefined();
    expect(await newCredentialOf(newPasskeyIn('{"id":"a"}')!, EXPECTED)).toBeUndefined();
  });
});
