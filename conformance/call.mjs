// Sends one call as a client would. Keeps the spelling of response headers.
import http from 'node:http';
import https from 'node:https';

const TIMEOUT_MS = 30_000;
const BOUNDARY = 'conformance-7a1f';

/** How members are encoded in a body. */
const ENCODINGS = {
  json: (members) => ['application/json', JSON.stringify(members)],
  'json; charset=UTF8': (members) => ['application/json; charset=UTF8', JSON.stringify(members)],
  form: (members) => ['application/x-www-form-urlencoded', pairs(members).toString()],
  multipart: (members) => [`multipart/form-data; boundary=${BOUNDARY}`, parts(members)],
};

const text = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const pairs = (members) =>
  members instanceof URLSearchParams
    ? members
    : new URLSearchParams(Object.entries(members).map(([name, value]) => [name, text(value)]));

const parts = (members) =>
  Object.entries(members)
    .map(
      ([name, value]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text(value)}\r\n`,
    )
    .join('') + `--${BOUNDARY}--\r\n`;

/** Sends a call. The body contains `members` in the given encoding, the URL contains `query`. */
export function call(base, path, { method = 'POST', as = 'json', members, query, headers } = {}) {
  const url = new URL(`${base.replace(/\/$/, '')}${path}`);
  url.search = query === undefined ? '' : pairs(query).toString();
  const [type, body] = members === undefined ? [undefined, ''] : ENCODINGS[as](members);
  const sent = { 'Content-Length': Buffer.byteLength(body), ...headers };
  if (type !== undefined) sent['Content-Type'] = type;
  if (method === 'GET') delete sent['Content-Length'];
  return answered(url, { method, headers: sent }, body);
}

function answered(url, options, body) {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...options, timeout: TIMEOUT_MS }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())));
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer from ${url.host}`)));
    asked.on('error', reject);
    asked.end(body);
  });
}

const answerOf = ({ statusCode, headers, rawHeaders }, text) => ({
  status: statusCode,
  headers,
  headerNames: rawHeaders.filter((_, at) => at % 2 === 0),
  text,
  body: parsed(text),
});

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
