/** A label, as pages and servers write it, and the encoding that the Encoding Standard reads it in. */
type Encodings = Readonly<Record<string, readonly string[]>>;

/**
 * By iconv-lite's names. The web's names mean supersets: `iso-8859-1` is windows-1252, `gb2312` is gb18030. What is not
 * here is not read: not utf-7, which hides markup, and none of iconv-lite's others, such as base64.
 */
const LABELS: Encodings = {
  utf8: ['utf-8', 'utf8', 'unicode-1-1-utf-8'],
  'utf-16le': ['utf-16le', 'utf-16', 'unicode', 'ucs-2', 'iso-10646-ucs-2'],
  'utf-16be': ['utf-16be'],
  'iso-2022-jp': ['iso-2022-jp', 'csiso2022jp'],
  'windows-1252': [
    'iso-8859-1',
    'iso8859-1',
    'iso88591',
    'latin1',
    'latin-1',
    'l1',
    'ascii',
    'us-ascii',
  ],
  'windows-1254': ['iso-8859-9', 'iso8859-9', 'latin5', 'l5'],
  'windows-874': ['iso-8859-11', 'tis-620', 'dos-874'],
  'iso-8859-2': ['iso8859-2', 'latin2', 'l2'],
  'iso-8859-3': ['iso8859-3', 'latin3', 'l3'],
  'iso-8859-4': ['iso8859-4', 'latin4', 'l4'],
  'iso-8859-5': ['iso8859-5', 'cyrillic'],
  'iso-8859-6': ['iso8859-6', 'arabic', 'asmo-708', 'ecma-114'],
  'iso-8859-7': ['iso8859-7', 'greek', 'greek8', 'ecma-118'],
  'iso-8859-8': ['iso8859-8', 'iso-8859-8-i', 'hebrew', 'visual', 'logical'],
  'iso-8859-10': ['iso8859-10', 'latin6', 'l6'],
  'iso-8859-13': ['iso8859-13'],
  'iso-8859-14': ['iso8859-14'],
  'iso-8859-15': ['iso8859-15', 'latin9', 'l9'],
  'iso-8859-16': [],
  ibm866: ['ibm866', 'cp866', '866'],
  'koi8-r': ['koi8', 'koi', 'koi8_r'],
  'koi8-u': ['koi8-ru'],
  macintosh: ['macintosh', 'mac', 'x-mac-roman'],
  maccyrillic: ['x-mac-cyrillic', 'x-mac-ukrainian'],
  gb18030: ['gb18030', 'gbk', 'gb2312', 'gb_2312', 'gb_2312-80', 'x-gbk', 'chinese'],
  big5hkscs: ['big5', 'big5-hkscs', 'x-x-big5', 'cn-big5'],
  shift_jis: ['shift-jis', 'sjis', 'x-sjis', 'ms_kanji', 'windows-31j', 'ms932'],
  'euc-jp': ['x-euc-jp'],
  cp949: ['euc-kr', 'ks_c_5601-1987', 'ksc5601', 'ks_c_5601', 'windows-949', 'korean'],
};

const WINDOWS = ['1250', '1251', '1252', '1253', '1254', '1255', '1256', '1257', '1258', '874'];

const BY_LABEL = new Map<string, string>([
  ...Object.keys(LABELS).map((name) => [name, name] as const),
  ...Object.entries(LABELS).flatMap(([name, labels]) =>
    labels.map((label) => [label, name] as const),
  ),
  ...WINDOWS.flatMap((page) =>
    ['windows-', 'cp', 'x-cp'].map((prefix) => [`${prefix}${page}`, `windows-${page}`] as const),
  ),
]);

/** The encoding that a label names, by iconv-lite's name; undefined for labels that are not to be believed. */
export const encodingLabelled = (label: string): string | undefined =>
  BY_LABEL.get(label.trim().toLowerCase());
