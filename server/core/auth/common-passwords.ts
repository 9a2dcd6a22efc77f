/** The passwords of at least eight characters that lead every published list of leaks. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1! passw0rd p@ssw0rd p@ssword pa55word 12345678 123456789 1234567890
  12341234 11111111 00000000 22222222 55555555 66666666 77777777 88888888 99999999 87654321 987654321 0123456789 12121212
  123123123 11223344 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyuiop qwerty123 qwerty1234 qwertyui qazwsxedc asdfghjkl asdfasdf
  zxcvbnm123 abcd1234 abc12345 a1b2c3d4 aa123456 iloveyou iloveyou1 sunshine sunshine1 princess princess1 football football1
  baseball basketball superman superman1 batman123 starwars trustno1 whatever jennifer michelle computer internet samsung1
  welcome1 welcome12 welcome123 letmein1 letmein123 administrator admin123 admin1234 changeme changeme1 corvette mustang1
  liverpool chelsea1 arsenal1 pokemon1 charlie1 jordan23 michael1 nicole123 daniel123 jessica1 ashley123 master123 shadow123
  dragon123 monkey123 hello123 hello1234 test1234 testtest summer2024 summer2025 summer2026 winter2025 winter2026 spring2026
  student1 student123 nursing1 nursing123 hospital hospital1 qwerty12 zaq12wsx !qaz2wsx 1234qwer asdf1234 access14 blink182
  maverick metallica mercedes november december september elephant victoria caroline benjamin alexander samantha`
    .split(/\s+/)
    .filter(Boolean),
)
