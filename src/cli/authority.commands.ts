import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import {
  allowedDomains,
  type Certified,
  certify,
  covers,
  createRoot,
  domainsOf,
  endOf,
} from '../lib/certificates/authority.js';
import { makeDirectory } from '../lib/util/make-directory.js';
import { writeWholeFile } from '../lib/util/whole-file.js';
import { Clock } from '../platform/common/clock.js';
import { tell, UsageError } from './terminal.js';

/** The hosts that clients of the original service call. */
const POCKET = ['getpocket.com', 'www.getpocket.com', 'api.getpocket.com', 'text.getpocket.com'];
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]*[a-z\d])?$/;

/** Returns the command `satchel authority`, which makes certificates for clients with a fixed host. */
export function authorityCommand(): Command {
  return new Command('authority')
    .description('certificates for clients that only call the hosts of Pocket')
    .addCommand(createCommand())
    .addCommand(renewCommand());
}

interface CreateOptions {
  readonly hosts: readonly string[];
  readonly address: string;
}

function createCommand(): Command {
  return new Command('create')
    .description(
      'make a private authority, which can vouch for these hosts only, and a certificate',
    )
    .argument('<folder>', 'a folder for the files')
    .option('--hosts <list>', 'comma list of host names', readHosts, POCKET)
    .option(
      '--address <ip>',
      'the address of the proxy, for the hosts file',
      readIp,
      'ADDRESS-OF-THE-PROXY',
    )
    .action(async (folder: string, { hosts, address }: CreateOptions) => {
      const files = filesIn(folder);
      const present = [files.root, files.server]
        .flatMap(({ certificate, key }) => [certificate, key])
        .find((path) => existsSync(path));
      if (present !== undefined) {
        throw new UsageError(`${present} is there already: see authority renew`);
      }
      const now = new Clock().now();
      const root = await createRoot(domainsOf(hosts), now);
      makeDirectory(resolve(folder));
      await write(root, files.root, { force: false });
      await write(await certify(root, hosts, now), files.server, { force: false });
      tell(advice(files, { hosts, address }));
    });
}

function renewCommand(): Command {
  return new Command('renew')
    .description('make a new certificate for the hosts; devices trust it already')
    .argument('<folder>', 'the folder of authority create')
    .option('--hosts <list>', 'comma list of host names, by default those of server.crt', readHosts)
    .action(async (folder: string, wanted: Partial<Pick<CreateOptions, 'hosts'>>) => {
      const files = filesIn(folder);
      const root = readRoot(files.root);
      const hosts = wanted.hosts ?? hostsOf(files.server);
      const allowed = allowedDomains(root.certificate);
      const beyond = hosts.filter((host) => !covers(allowed, host));
      if (beyond.length > 0) {
        throw new UsageError(
          `the authority may not vouch for ${beyond.join(', ')}, only for ${allowed.join(', ')}`,
        );
      }
      await write(await certify(root, hosts, new Clock().now()), files.server, { force: true });
      tell(`wrote ${files.server.certificate}, ${untilEnd(files.server)}`);
    });
}

/** The paths of a certificate and its key. */
type Files = Certified;

const filesIn = (folder: string): { readonly root: Files; readonly server: Files } => ({
  root: { certificate: join(folder, 'root.crt'), key: join(folder, 'root.key') },
  server: { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') },
});

function readRoot({ certificate, key }: Files): Certified {
  if (!existsSync(certificate) || !existsSync(key)) {
    throw new UsageError(`${certificate} and ${key} are needed: see authority create`);
  }
  const root = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  if (!new X509Certificate(root.certificate).checkPrivateKey(createPrivateKey(root.key))) {
    throw new UsageError(`${key} is not the key of ${certificate}`);
  }
  return root;
}

/** Returns the hosts of a certificate. */
function hostsOf({ certificate }: Files): string[] {
  if (!existsSync(certificate)) {
    throw new UsageError(`${certificate} is not there: name the --hosts`);
  }
  const { subjectAltName = '' } = new X509Certificate(readFileSync(certificate, 'utf8'));
  return subjectAltName.split(', ').map((name) => name.replace('DNS:', ''));
}

/** Only the owner can read the keys. All users can read the certificates, so that their programs can trust them. */
async function write(
  made: Certified,
  files: Files,
  options: { readonly force: boolean },
): Promise<void> {
  const content = (text: string) => (file: FileHandle) => file.writeFile(text);
  await writeWholeFile(files.key, options, content(made.key));
  await writeWholeFile(files.certificate, options, async (file) => {
    await file.writeFile(made.certificate);
    await file.chmod(0o644);
  });
}

const untilEnd = ({ certificate }: Files): string =>
  `valid until ${endOf(readFileSync(certificate, 'utf8')).toISOString().slice(0, 10)}`;

/** The steps that the operator takes next. Satchel installs nothing itself. */
function advice(
  { root, server }: ReturnType<typeof filesIn>,
  { hosts, address }: CreateOptions,
): string {
  const crt = resolve(root.certificate);
  return `wrote ${root.certificate} (${untilEnd(root)}) and ${server.certificate} (${untilEnd(server)})

Keep ${root.key} secret, or delete it if you never want to run authority renew.

1. The proxy serves ${hosts.join(', ')} with ${server.certificate} and ${server.key}.
2. The hosts file, or the DNS server of your network:

   ${address} ${hosts.join(' ')}

3. What calls these hosts trusts the authority. all.crt is made by
   cat /etc/ssl/certs/ca-certificates.crt ${crt} > all.crt

   Node        NODE_EXTRA_CA_CERTS=${crt}
   Python      REQUESTS_CA_BUNDLE=all.crt SSL_CERT_FILE=all.crt
   Go, Ruby    SSL_CERT_FILE=all.crt
   Perl        PERL_LWP_SSL_CA_FILE=all.crt SSL_CERT_FILE=all.crt
   PHP         curl.cainfo and openssl.cafile in php.ini: all.crt
   Java        keytool -importcert -noprompt -alias satchel -file ${crt} -keystore trust.p12 -storepass changeit
   curl        CURL_CA_BUNDLE=all.crt
   Debian      cp ${crt} /usr/local/share/ca-certificates/satchel.crt && update-ca-certificates
   Fedora      cp ${crt} /etc/pki/ca-trust/source/anchors/ && update-ca-trust
   macOS       security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${crt}
   Windows     certutil -user -addstore Root ${crt}
   phones, browsers: import ${crt} in the settings for certificates`;
}

function readHosts(text: string): string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  if (!hosts.every((host) => HOST.test(host))) {
    throw new InvalidArgumentError('host names, separated by commas.');
  }
  return [...new Set(hosts)];
}

function readIp(text: string): string {
  if (isIP(text) === 0) {
    throw new InvalidArgumentError('an IP address.');
  }
  return text;
}
