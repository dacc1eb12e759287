import { webcrypto } from 'node:crypto';

import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints as NAME_CONSTRAINTS,
  NameConstraints,
} from '@peculiar/asn1-x509';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** All e-readers that Satchel supports know this curve; many know no newer one. */
const KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;
const ROOT_DAYS = 3650;
/** Apple's systems accept certificates for at most 398 days. */
const HOST_DAYS = 397;
/** Clocks of devices may be behind. */
const EARLIER_DAYS = 1;
/** A private authority vouches for no IP address. Without this, it could vouch for all of them. */
const ALL_ADDRESSES = ['0.0.0.0/0', '::/0'];

/** A certificate and its private key, as PEM texts. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Creates the root certificate of a private authority. Its critical name constraints (RFC 5280 section 4.2.1.10) allow
 * only the given domains and their subdomains. A person who steals the key can therefore imitate no other site.
 */
export async function createRoot(domains: readonly string[], now: Date): Promise<Certified> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Private authority of Satchel',
    ...lifetime(now, ROOT_DAYS),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      nameConstraints(domains),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), key: await pemOfKey(keys.privateKey) };
}

/** Creates a certificate for the hosts, signed by the root. */
export async function certify(
  root: Certified,
  hosts: readonly string[],
  now: Date,
): Promise<Certified> {
  const issuer = new X509Certificate(root.certificate);
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Satchel',
    issuer: issuer.subject,
    ...lifetime(now, HOST_DAYS),
    signingAlgorithm: SIGNING,
    publicKey: keys.publicKey,
    signingKey: await readKey(root.key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: pemOf(certificate), key: await pemOfKey(keys.privateKey) };
}

/** Returns true if the host is one of the domains, or a subdomain of one. */
export const covers = (domains: readonly string[], host: string): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** Returns the domains that cover the hosts: the hosts that are no subdomains of another one. */
export const domainsOf = (hosts: readonly string[]): string[] =>
  hosts.filter(
    (host) =>
      !covers(
        hosts.filter((other) => other !== host),
        host,
      ),
  );

/** Returns the domains that a root certificate allows. */
export function allowedDomains(root: string): string[] {
  const extension = new X509Certificate(root).getExtension(NAME_CONSTRAINTS);
  const constraints = extension && AsnConvert.parse(extension.value, NameConstraints);
  return [...(constraints?.permittedSubtrees ?? [])].map(({ base }) => base.dNSName ?? '');
}

/** Returns when a certificate ends. */
export const endOf = (certificate: string): Date => new X509Certificate(certificate).notAfter;

function nameConstraints(domains: readonly string[]): Extension {
  const trees = (names: readonly GeneralName[]): GeneralSubtrees =>
    new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })));
  const constraints = new NameConstraints({
    permittedSubtrees: trees(domains.map((dNSName) => new GeneralName({ dNSName }))),
    excludedSubtrees: trees(ALL_ADDRESSES.map((iPAddress) => new GeneralName({ iPAddress }))),
  });
  return new Extension(NAME_CONSTRAINTS, true, AsnConvert.serialize(constraints));
}

const lifetime = (now: Date, days: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(now.getTime() - EARLIER_DAYS * DAY_MS),
  notAfter: new Date(now.getTime() + (days - EARLIER_DAYS) * DAY_MS),
});

const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem')}\n`;

const pemOfKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;

async function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [bytes = new ArrayBuffer(0)] = PemConverter.decode(pem);
  return webcrypto.subtle.importKey('pkcs8', bytes, KEY, false, ['sign']);
}
