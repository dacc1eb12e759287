import fc from 'fast-check';

import { canonicalEmail } from './email-address.js';

describe('canonicalEmail', () => {
  it.each([
    ['as it is', 'ada@example.com', 'ada@example.com'],
    ['in capitals', 'Ada@EXAMPLE.com', 'ada@example.com'],
    ['between spaces', ' \t\nada@example.com\u00a0\u3000', 'ada@example.com'],
    ['in full width', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['with an ideographic full stop', 'ada@example。com', 'ada@example.com'],
    ['with a domain in NFC', 'ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
    ['with a domain in NFD', 'ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    [
      'with a domain in capitals of another script',
      'ada@BÜCHER.example',
      'ada@xn--bcher-kva.example',
    ],
    [
      'with a domain that is ASCII already',
      'ada@xn--bcher-kva.example',
      'ada@xn--bcher-kva.example',
    ],
    ['with a tag', 'ada+list@example.com', 'ada+list@example.com'],
    ['with a dot', 'a.da@example.com', 'a.da@example.com'],
  ])('takes an address %s', (_, text, expected) => {
    expect(canonicalEmail(text)).toBe(expected);
  });

  it.each(['', '@', 'ada', 'ada@', '@example.com', 'ada@exa mple.com', 'ada@example.com:80'])(
    'gives %j, which is no address, back',
    (text) => {
      expect(canonicalEmail(text)).toBe(text);
    },
  );

  /** A URL parser would accept each of these texts and read a host from it. */
  it.each([
    'ada@example.com/path',
    'ada@example.com?query',
    'ada@example.com#fragment',
    'ada@example.com\\path',
    'ada@exam\tple.com',
    'ada@exam\nple.com',
    'ada@exam\rple.com',
    'ada@ex%61mple.com',
    'ada@example.com／path',
    'ada@example.com？query',
    'ada@ex％61mple.com',
    'ada@user:password@example.com',
    'ada@http://example.com',
  ])('makes no other address of %j', (text) => {
    expect(canonicalEmail(text)).not.toBe('ada@example.com');
  });

  it('keeps addresses apart that differ in the local part', () => {
    const spellings = [
      'a.da@example.com',
      'ada+x@example.com',
      'ada@example.com',
      'àda@example.com',
    ];

    expect(new Set(spellings.map(canonicalEmail)).size).toBe(spellings.length);
  });

  it('changes nothing the second time', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.emailAddress(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map((parts) => parts.join('@')),
    );

    fc.assert(
      fc.property(text, (address) => {
        const once = canonicalEmail(address);
        expect(canonicalEmail(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
