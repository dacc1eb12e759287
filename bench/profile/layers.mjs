// Divides a .cpuprofile by layers of the service. A function's time counts for the layer of its file. Node's own files
// and native code count for the layer that called them.

/** Native frames and Node's files, which count for their caller. */
const CALLER = 'caller';

/** The first match decides. */
const LAYERS = [
  [
    'the log',
    /\/node_modules\/(?:pino|sonic-boom|quick-format|safe-stable|fast-redact|on-exit|atomic-sleep|process-warning)|\/platform\/common\/(?:logging|request-log)\.js/,
  ],
  [
    'bodies: reading, checking, parsing',
    /\/node_modules\/(?:raw-body|body-parser|bytes|iconv-lite|type-is|content-type|media-typer|mime-|unpipe|destroy)|\/pocket-api\/(?:v3-body|form|multipart)\.js|\/platform\/http\/(?:text-gate|body-|inflated|json-|at-path)|\/wallabag-requests\.js/,
  ],
  [
    'headers, methods, origins',
    /\/node_modules\/(?:helmet|cors|vary)\/|\/platform\/http\/(?:security-headers|cross-origin|draining|sub-path|request-origin|proxy-headers|stalled)|\/pocket-api\/limit-headers|\/wallabag-paths\.js/,
  ],
  [
    'Express: path of a request',
    /\/node_modules\/(?:express|router|finalhandler|parseurl|path-to-regexp|on-finished|ee-first|encodeurl|escape-html|statuses|send|accepts|negotiator|proxy-addr|forwarded|ipaddr|qs|etag|fresh|once|wrappy|merge-descriptors|setprototypeof|http-errors|depd|ms|debug)\/|\/satchel\.adapter\.js/,
  ],
  [
    'Nest: path of a request',
    /\/node_modules\/(?:@nestjs\/(?!typeorm)|rxjs|iterare|uid|fast-safe|tslib|reflect-metadata)/,
  ],
  [
    'finding the caller',
    /\/src\/auth\/|\/node_modules\/(?:jsonwebtoken|jws|jwa|@nestjs\/jwt|lru-cache)/,
  ],
  ['call limits', /\/src\/platform\/throttling\//],
  ['TypeORM', /\/node_modules\/(?:typeorm|@nestjs\/typeorm)\//],
  [
    "the database's client",
    /\/node_modules\/pg|\/node_modules\/postgres-|\/src\/platform\/database\//,
  ],
  [
    'parameters',
    /\/pocket-api\/param|\/pocket-api\/parse-request|\.request\.js|\/node_modules\/(?:class-|validator)/,
  ],
  [
    'the list: reads and changes',
    /\/src\/(?:reading-list\/(?!get\/(?:get|item|page)\.presenter|add\/add\.presenter|send\/send\.presenter)|articles|transfer)|\/node_modules\/tldts/,
  ],
  ['the response', /\.presenter\.js|\/pocket-api\/v3-responses|\/src\/lib\/util\/iso-date/],
  ['collecting calls for one statement', /\/node_modules\/dataloader/],
  ["Node's HTTP server", /^node:(?:_http|internal\/http)/],
  [CALLER, /^$|^node:/],
  ['other', /./],
];

/** Time outside of functions: native code without a caller, and idle time. */
const OUTSIDE = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native code outside of functions'],
  ['(idle)', undefined],
]);

const NODE = "Node's sockets, timers, promises";

const layerOf = (file) => LAYERS.find(([, files]) => files.test(file))[0];

/** Returns the microseconds of each layer, without idle time. */
export function timeOfLayers(profile) {
  const { byId, parents } = treeOf(profile);
  const layers = new Map();
  const times = selfTimes(profile);
  for (const [id, us] of times) {
    const layer = ownerOf(byId.get(id), parents);
    if (layer !== undefined) layers.set(layer, (layers.get(layer) ?? 0) + us);
  }
  return layers;
}

export function treeOf({ nodes }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])),
  );
  return { byId, parents };
}

/** Returns the microseconds in which each node was the innermost. */
export function selfTimes({ samples, timeDeltas }) {
  const times = new Map();
  samples.forEach((id, at) => {
    // A delta is the time before its sample.
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[at + 1] ?? 0));
  });
  return times;
}

function ownerOf(node, parents) {
  const { functionName, url } = node.callFrame;
  if (url === '' && OUTSIDE.has(functionName)) return OUTSIDE.get(functionName);
  for (let at = node; at !== undefined; at = parents.get(at.id)) {
    const layer = layerOf(at.callFrame.url);
    if (layer !== CALLER) return layer;
  }
  return NODE;
}
