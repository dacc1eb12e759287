import { get, type IncomingHttpHeaders } from 'node:http';

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Requests an address and returns the bytes as sent, without decompressing them. */
export const receivedBytes = (url: string, headers: Record<string, string>): Promise<Received> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const { statusCode: status, headers: sent } = answer;
        resolve({ status, headers: sent, bytes: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });
