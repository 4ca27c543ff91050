/// What a field for a secret or a number of a person is called; the same on the web and on Android.
enum SecretNames {
    /// A regular expression that is found in the name or the label of such a field, in any case.
    static let pattern = "(^|[^a-z])(\(any(words + " " + foreignWords)))([^a-z]|$)|\(any(parts + " " + foreignParts))"

    /// Whole words.
    private static let words = """
        pass password passwd passphrase passcode pwd pin otp mfa 2fa totp tan cvv cvv2 cvc cvc2 csc secret token ssn \
        iban bic
        """

    /// Parts of words.
    private static let parts = """
        password card.?num card.?no credit.?card security.?code security.?answer one.?time verification.?code \
        social.?security account.?num api.?key private.?key seed.?phrase
        """

    /// The same in other languages: what forms ask for most, passwords, codes and cards.
    private static let foreignWords = "passwort kennwort geheimzahl clave senha parola heslo passord"
    private static let foreignParts = """
        mot.de.passe code.secret carte.bancaire num[eé]ro.de.carte code.de.v[eé]rification contrase[nñ]a \
        n[uú]mero.de.(la.)?tarjeta c[oó]digo.de.(verificaci|seguran|segurid) n[uú]mero.do.cart \
        numero.(della.)?carta codice.(di|pin) kartennummer kreditkarte kontonummer pr[uü]fnummer wachtwoord \
        hasło şifre lösenord salasana adgangskode jelszó mật.khẩu kata.sandi парол пин.?код номер.карт \
        код.подтв κωδικ סיסמה كلمة.(المرور|السر) पासवर्ड รหัสผ่าน 密码 密碼 验证码 驗證碼 卡号 卡號 パスワード 暗証番号 認証コード カード番号 \
        비밀번호 인증번호 카드번호
        """

    private static func any(_ list: String) -> String { list.split(separator: " ").joined(separator: "|") }
}
