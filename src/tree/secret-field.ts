import { TEXT_FIELD_ROLES, type Role } from './roles/roles.js';

/**
 * Some toolkits do not report that a field masks its input (a GTK4 entry with visibility off has the role of any text
 * and returns clear text). So a field whose label looks like a secret is treated as one. Phrases match whole words;
 * phrases in scripts without spaces match anywhere. Configurable: the user's own list replaces this one.
 */
export const SECRET_WORDS: readonly string[] = [
  ...['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'pass phrase', 'pass code', 'pwd', 'passkey'],
  ...['pin', 'pin code', 'secret', 'token', 'otp', 'totp', 'psk', 'cvv', 'cvv2', 'cvc', 'cvc2', 'cvn'],
  ...['api key', 'apikey', 'access key', 'secret key', 'private key', 'encryption key', 'master key', 'recovery key'],
  ...['pre shared key', 'preshared key', 'network security key', 'wpa key', 'wep key', 'auth key', 'account key'],
  ...['security code', 'card verification code', 'card verification value', 'one time code', 'verification code'],
  ...['authentication code', 'two factor code', '2fa code', 'recovery code', 'backup code', 'unlock code'],
  ...['recovery phrase', 'seed phrase', 'security answer'],
  ...['passwort', 'kennwort', 'passwörter', 'geheimzahl', 'zugangscode', 'sicherheitscode', 'geheimnis'], // German
  ...['mot de passe', 'mots de passe', 'code secret', 'phrase secrète', 'jeton', 'cryptogramme'], // French
  ...['contraseña', 'contrasena', 'clave secreta', 'clave de acceso', 'código de seguridad', 'contrasenya'], // Spanish
  ...['senha', 'palavra passe', 'código de segurança', 'parola d ordine', 'codice di sicurezza', 'codice segreto'],
  ...['wachtwoord', 'wachtwoordzin', 'pincode', 'lösenord', 'adgangskode', 'passord', 'salasana', 'lykilorð'],
  ...['hasło', 'heslo', 'jelszó', 'parola', 'parolă', 'şifre', 'slaptažodis', 'parole', 'geslo', 'lozinka'],
  ...['пароль', 'парола', 'лозинка', 'код безопасности', 'пин код', 'κωδικός πρόσβασης', 'סיסמה', 'סיסמא'],
  ...['كلمة المرور', 'كلمة السر', 'رمز المرور', 'گذرواژه', 'رمز عبور', 'पासवर्ड', 'mật khẩu', 'kata sandi'],
  ...[
    '密码',
    '密碼',
    '口令',
    '验证码',
    '驗證碼',
    'パスワード',
    '暗証番号',
    'パスフレーズ',
    '비밀번호',
    '암호',
    'รหัสผ่าน',
  ],
];

/** Words with other meanings too: they count only at the end of the label ("API token", not "Token count"). */
const AMBIGUOUS_WORDS: ReadonlySet<string> = new Set(['pin', 'secret', 'token', 'jeton', 'parole', 'cryptogramme']);

/**
 * Words that may follow an ambiguous word without changing its meaning: "PIN (4 digits)", "Token for GitHub", "Secret
 * value".
 */
const NEUTRAL_WORDS =
  wordSet(`again code confirm confirmation digit digits field here key nr number numbers no optional phrase
  repeat required string text value word for of from on de du für pour para per von van voor til av`);

/** Words that make even "password" safe to show: "Password hint", "Password length". */
const DEFUSING_WORDS =
  wordSet(`age alert alphabet count counts expiration expires expiry file filename folder generator hint hints
  history id label length lifetime limit list location manager name path policy prompt question reminder rules score
  settings store strength title type url usage user username`);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** `userPassword`, `api_key`, `PIN-Code:` and `Mot de passe` as lower-case words. */
function wordsOf(text: string): string[] {
  const split = text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return split.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const SCRIPTS_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
// Labels repeat from snapshot to snapshot, and the secret words hardly ever change.
const PHRASE_CACHE = new WeakMap<readonly string[], string[][]>();

export function looksSecret(label: string, secretWords: readonly string[] = SECRET_WORDS): boolean {
  if (label === '') return false;
  const labelWords = wordsOf(label);
  let phrases = PHRASE_CACHE.get(secretWords);
  if (!phrases)
    PHRASE_CACHE.set(secretWords, (phrases = secretWords.map(wordsOf).filter((phrase) => phrase.length > 0)));
  return phrases.some((phrase) => {
    if (SCRIPTS_WITHOUT_SPACES.test(phrase[0]!)) return labelWords.join('').includes(phrase.join(''));
    return labelWords.some(
      (_word, at) => startsAt(labelWords, phrase, at) && meansSecret(phrase, labelWords.slice(at + phrase.length)),
    );
  });
}

function startsAt(labelWords: readonly string[], phrase: readonly string[], at: number): boolean {
  return phrase.every((word, offset) => labelWords[at + offset] === word);
}

function meansSecret(phrase: readonly string[], after: readonly string[]): boolean {
  const next = after[0];
  if (next === undefined) return true;
  if (phrase.length === 1 && AMBIGUOUS_WORDS.has(phrase[0]!)) return NEUTRAL_WORDS.has(next) || /^\d+$/.test(next);
  return !DEFUSING_WORDS.has(next);
}

interface Field {
  role: Role;
  name?: string;
  description?: string;
  states: { editable?: boolean; secret?: boolean };
  platformIds?: { automationId?: string };
}

/** Fields whose text may be a secret. */
export function takesTypedText({ role, states }: Pick<Field, 'role' | 'states'>): boolean {
  return TEXT_FIELD_ROLES.has(role) || (role === 'combobox' && states.editable === true);
}

/**
 * True if the value of this element must not leave the driver: a password field, or a text field whose label,
 * placeholder or developer's id looks like a secret. Only fields that take typed text: a label "Password" is not a
 * secret. The driver does not request the text of such a field (`readValue` in `drivers/linux/atspi/values.ts`).
 */
export function isSecretField(element: Field, secretWords: readonly string[] = SECRET_WORDS): boolean {
  if (element.role === 'passwordbox' || element.states.secret === true) return true;
  if (!takesTypedText(element)) return false;
  const labels = [element.name, element.description, element.platformIds?.automationId];
  return labels.some((label) => label !== undefined && looksSecret(label, secretWords));
}
