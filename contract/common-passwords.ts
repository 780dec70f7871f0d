// The passwords that guessing tries first (of the known leak lists, 8 characters and longer, and the stems people put digits behind).
// The form answers by this list before anything is sent; the server's is longer (server/session/passwords.ts).

/** Lower case; without those of digits that are a habit (below) anyway. */
export const COMMON_PASSWORDS: readonly string[] = `
!qaz2wsx 01234567 0123456789 101010101 10203040 11112222 11223344 112233445566 1231231234 123321123 12344321
123454321 12345678 123456789 1234567890 123456789a 123456abc 12345abc 1234abcd 1234qwer 123abc123 123qwe123
123qweasd 147258369 147852369 159357456 159753159 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 52013140 52013145
5201314520 789456123 87654321 98765432 987654321 9876543210 a1234567 a12345678 a123456789 aa123456
aa12345678 aaaa1111 aaaaaaaa abc12345 abc123456 abcd abcd1234 abcdef123 abcdefgh access123 access14 admin
admin123 admin1234 adminadmin administrator android1 apple123 arsenal1 as123456 asd12345 asd123456 asdf
asdf1234 asdfasdf asdfghjk asdfghjkl autumn123 bailey123 barcelona baseball baseball1 basketball batman123
bitcoin1 bitcoin123 blink182 buster123 butterfly captain1 changeme changeme1 changeme123 charlie1 chelsea1
chocolate cocacola computer computer1 cookie123 corvette cowboys1 curry3030 december1 default1 default123
demo1234 demodemo dollar123 doraemon dragon dragon123 example1 facebook facebook1 fafafafa ferrari1
flower123 football football1 forever1 forever123 formosa1 fortnite freedom1 freedom123 friday123 friends1
g0909090 ginger123 goodbye1 google123 guest123 guest1234 happy123 happyday hello hello123 hello1234
hellohello hellokitty helloworld hunter123 hunter22 iloveu520 iloveyou iloveyou1 iloveyou2 iloveyou520
internet iphone123 ironman1 january1 jennifer jessica1 jordan23 killer123 kitty123 kobe2424 lakers24 letmein
letmein1 letmein123 lingbo lingbo123 lingbo88 linkedin liverpool liverpool1 lovelove lovelove1 lovely123
loveyou1 lucky777 lucky888 maggie123 manager1 manager123 manchester master master123 matrix123 mercedes
metallica michael1 microsoft midnight minecraft monday123 money123 money888 monkey monkey123 mustang1
naruto123 nintendo nirvana1 oracle123 p@ssw0rd p@ssword pa55word passpass passport passw0rd password
password! password1 password1! password12 password123 pepper123 phoenix1 pokemon1 pokemon123 porsche1
princess princess1 q1234567 q123456789 q1w2e3r4 q1w2e3r4t5 qwer1234 qaz12345 qazwsx123 qazwsxedc qwe12345
qwe123456 qwerty qwerty12 qwerty123 qwerty1234 qwertyqwerty qwertyui qwertyuiop ranger123 realmadrid
rich8888 root1234 rootroot sample123 samsung1 samsung123 secret123 secretsecret server123 shadow123 slipknot
snoopy123 spiderman spring123 starwars starwars1 stock123 stock888 summer123 summer2024 summer2025 sunshine
sunshine1 superman superman1 system123 taipei101 taiwan taiwan01 taiwan123 taiwan88 temp1234 temporary test
test1234 test12345 tester123 testing1 testing123 testtest thunder1 tigger123 toor1234 trader123 trading1
trustno1 twitter1 user1234 user12345 w1234567 welcome welcome1 welcome123 welcome2 whatever windows1
windows10 winter123 woaini woaini12 woaini123 woaini1314 woaini520 yamaha123 yankees1 youtube1 z1234567
zaq12wsx zaq1zaq1 zxcv zxcvbnm1 zxcvbnm123 zxcvzxcv
`
  .trim()
  .split(/\s+/)

const COMMON = new Set(COMMON_PASSWORDS)

/** What a person reads when theirs is on the list. */
export const TOO_COMMON = '這個密碼太常見，很容易被猜到，請換一個'

/** Habits that are as good as a list: a number of a mobile phone in Taiwan, a day of birth (also in years of the Republic), one piece repeated. */
const HABIT = /^(?:09\d{8}|(?:(?:19|20)\d\d|0?\d{2,3})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(.{1,6})\1+)$/

/** True when guessing lists contain it, also with other letter case, and with digits or signs at its end. `more` = a longer list. */
export function isCommon(password: string, more: ReadonlySet<string> = COMMON): boolean {
  const plain = password.toLowerCase()
  const bare = plain.replace(/(?<![!@#$%^&*._-])[!@#$%^&*._-]+$/, '')
  const stem = plain.replace(/[\d!@#$%^&*._-]{1,6}$/, '')
  const listed = (text: string) => COMMON.has(text) || more.has(text)
  return (
    [plain, bare].some((text) => listed(text) || HABIT.test(text)) || (stem.length >= 4 && COMMON.has(stem))
  )
}
