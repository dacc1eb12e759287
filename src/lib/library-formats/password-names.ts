/**
 * Words for "password" in the languages of browsers and password managers. These words are also recognised as a part of
 * a longer name, such as `login_password`.
 */
const ANYWHERE = [
  ...['password', 'passwd', 'passwrd', 'passphrase', 'passcode', 'passwort', 'kennwort'],
  ...['contraseña', 'contrasenya', 'contrasinal', 'mot de passe', 'palavra passe'],
  ...['wachtwoord', 'wagwoord', 'lösenord', 'adgangskode', 'kodeord', 'passord', 'lykilorð'],
  ...['salasana', 'tunnussana', 'jelszó', 'slaptažodis', 'zaporka', 'pasahitza', 'cyfrinair'],
  ...['пароль', 'құпиясөз', 'κωδικός πρόσβασης', 'პაროლი', 'գաղտնաբառ'],
  ...['סיסמה', 'סיסמא', 'كلمة المرور', 'كلمة السر', 'رمز عبور', 'گذرواژه'],
  ...['पासवर्ड', 'পাসওয়ার্ড', 'கடவுச்சொல்', 'รหัสผ่าน', 'mật khẩu', 'kata sandi', 'kata laluan'],
  ...['パスワード', '密码', '密碼', '비밀번호'],
];
/**
 * Words for "password", and for other secrets that only password managers store. A name must contain one of these words
 * as a whole word, not as a part of a longer word.
 */
const WORDS = [
  ...['pass', 'pw', 'pwd', 'pswd', 'psw', 'mdp', 'otp', 'otpauth', 'totp'],
  ...[
    'geslo',
    'hasło',
    'heslo',
    'lozinka',
    'parool',
    'senha',
    'şifre',
    'şifrə',
    'лозинка',
    'парола',
  ],
  ...['κωδικός', '口令', '암호'],
  // Columns that only exports from Bitwarden and Firefox have. These exports always contain passwords.
  ...['login uri', 'login username', 'httprealm', 'formactionorigin'],
];
/**
 * Words for "password" that are only recognised if they are the whole name of a column. As a part of a name, these
 * words have another meaning: `parole chiave` and `palabras clave` mean "keywords".
 */
const ALONE = ['parola', 'parole', 'clave'];

/** Names of columns that contain user names. In exports of password managers, such a column is beside the passwords. */
const USER_NAMES = [
  ...['user', 'username', 'user name', 'login', 'login name', 'account', 'email', 'e-mail'],
  ...['email address', 'benutzer', 'benutzername', 'anmeldename', 'usuario', 'nombre de usuario'],
  ...['usuário', 'nome de usuário', 'utilizador', 'utente', 'nome utente', 'identifiant'],
  ...['utilisateur', "nom d'utilisateur", 'gebruiker', 'gebruikersnaam', 'användare'],
  ...['användarnamn', 'bruger', 'brugernavn', 'bruker', 'brukernavn', 'käyttäjä', 'käyttäjätunnus'],
  ...['käyttäjänimi', 'użytkownik', 'nazwa użytkownika', 'uživatel', 'uživatelské jméno'],
  ...['používateľ', 'felhasználó', 'felhasználónév', 'utilizator', 'korisnik', 'korisničko ime'],
  ...['kullanıcı', 'kullanıcı adı', 'логин', 'пользователь', 'имя пользователя', 'користувач'],
  ...['χρήστης', 'όνομα χρήστη', 'שם משתמש', 'اسم المستخدم', 'نام کاربری', 'ชื่อผู้ใช้'],
  ...[
    'tên người dùng',
    'nama pengguna',
    'ユーザー名',
    '用户名',
    '用戶名',
    '使用者名稱',
    '帐号',
    '账号',
  ],
  ...['帳號', '사용자 이름', '아이디'],
];
const ADDRESSES = [
  ...[
    'url',
    'uri',
    'link',
    'href',
    'address',
    'web address',
    'website',
    'web site',
    'site',
    'host',
  ],
  ...['hostname', 'domain', 'login uri', 'login url', 'adresse', 'webadresse', 'webseite', 'sitio'],
  ...['sitio web', 'sito', 'sito web', 'site web', 'strona', 'сайт', 'адрес', '网站', '网址'],
  ...['網站', '網址', 'サイト', '사이트'],
];

/**
 * Letters that Unicode does not decompose. The value of each entry is the letter that people type instead if their
 * keyboard lacks the original letter.
 */
const PLAIN_LETTERS = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', ə: 'e', ς: 'σ' }),
);
/** The maximum length of a column's name or a label in characters. A longer text is a sentence. */
const MAX_NAME = 60;
const MAX_WORDS = 5;

/**
 * Returns the words of a name in a uniform spelling. With this spelling, names such as `Login_Password` and `ŞİFRE` and
 * names in half-width letters are recognised.
 */
function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łøđðıßæəς]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const withoutBlanks = (name: string): string => wordsOf(name).replaceAll(' ', '');

const ANY = new RegExp(ANYWHERE.map(withoutBlanks).join('|'), 'u');
const WORD = new RegExp(String.raw`(?<=^| )(?:${WORDS.map(wordsOf).join('|')})\d*(?= |$)`, 'u');
const WHOLE: ReadonlySet<string> = new Set([...WORDS, ...ALONE].map(withoutBlanks));
/** The kind of data that a column contains according to its name. */
export type ColumnKind = 'password' | 'user' | 'address';

const KINDS = new Map<string, ColumnKind>([
  ...ADDRESSES.map((name) => [withoutBlanks(name), 'address'] as const),
  ...USER_NAMES.map((name) => [withoutBlanks(name), 'user'] as const),
]);

/**
 * Returns the kind of data that a column, key or label contains according to its name. Returns undefined if the name is
 * unknown.
 */
export function kindOfName(name: string): ColumnKind | undefined {
  const words = name.length > MAX_NAME ? '' : wordsOf(name);
  if (words.split(' ').length > MAX_WORDS) {
    return undefined;
  }
  // Also checks the name without blanks, because a line break in a spreadsheet cell may divide a word.
  const whole = words.replaceAll(' ', '');
  const isPassword = ANY.test(whole) || WORD.test(words) || WHOLE.has(whole);
  return isPassword ? 'password' : KINDS.get(whole);
}

export const isPasswordName = (name: string): boolean => kindOfName(name) === 'password';
