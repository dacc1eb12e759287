/** URL parameters that show where a visitor came from, and never identify a page (docs/decisions/0016). */
const CLICK_IDS = new Set([
  '_hsenc',
  '_hsmi',
  'dclid',
  'fbclid',
  'gbraid',
  'gclid',
  'gclsrc',
  'igsh',
  'igshid',
  'li_fat_id',
  'mc_cid',
  'mc_eid',
  'msclkid',
  'mkt_tok',
  'oly_anon_id',
  'oly_enc_id',
  'srsltid',
  'ttclid',
  'twclid',
  'vero_id',
  'wbraid',
  'yclid',
]);

/** Removes campaign labels, click ids and empty parameters from the query of a URL. */
export function withoutTracking(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTrackingParameter(parameter));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function isTrackingParameter(parameter: string): boolean {
  const [name = ''] = parameter.toLowerCase().split('=', 1);
  return name.startsWith('utm_') || CLICK_IDS.has(name);
}
