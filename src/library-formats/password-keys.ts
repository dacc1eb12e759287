import type { Head } from './recognition.js';

/** "Password" in the languages of browsers and password managers. Also matches within a name: `login_password`. */
const ANYWHERE = [
  'password',
  'passwd',
  'passphrase',
  'passwort',
  'kennwort',
  'contraseña',
  'contrasena',
  'contrasenya',
  'mot de passe',
  'motdepasse',
  'palavra passe',
  'wachtwoord',
  'lösenord',
  'adgangskode',
  'passord',
  'salasana',
  'jelszó',
  'пароль',
  'κωδικός πρόσβασης',
  'סיסמה',
  'كلمة المرور',
  'كلمة السر',
  'رمز عبور',
  'पासवर्ड',
  'รหัสผ่าน',
  'mật khẩu',
  'kata sandi',
  'パスワード',
  '密码',
  '密碼',
  '비밀번호',
];
/** "Password", or another secret that only password managers have. These are also part of other words. */
const WORDS = [
  'geslo',
  'hasło',
  'haslo',
  'heslo',
  'lozinka',
  'otpauth',
  'parool',
  'pwd',
  'senha',
  'slaptažodis',
  'totp',
  'şifre',
  'лозинка',
  'парола',
  'κωδικός',
];
/** Columns of exports of Bitwarden and Firefox. Each has a password, whatever its column is called. */
const OF_MANAGERS = ['login uri', 'login username', 'httprealm', 'formactionorigin'];

const ANY = new RegExp(ANYWHERE.join('|'), 'u');
const WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[...WORDS, ...OF_MANAGERS].join('|')})(?![\p{L}\p{N}])`,
  'u',
);
/** "Password" in Italian, Turkish and Latvian. Other names have these words too: `parole chiave` are keywords. */
const ALONE: ReadonlySet<string> = new Set(['parola', 'parole']);
/** A key of JSON that has a value. In a text, the quotes are escaped. Readeck's export has blank passwords. */
const KEY = /(?<!\\)"([^"\\]{1,100})"\s*:(?!\s*(?:""|null\b))/g;

/** True for a table with a column of passwords, and for JSON with such a key. */
export function holdsPasswords(head: Head): boolean {
  const keys = head.isJson ? [...head.text.matchAll(KEY)].map(([, key = '']) => key) : [];
  return [...head.columns, ...keys].some(isPasswordName);
}

function isPasswordName(name: string): boolean {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, ' ');
  return ANY.test(words) || WORD.test(words) || ALONE.has(words.trim());
}
