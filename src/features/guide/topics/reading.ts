// The guide: which names and words of a message are read. They come from the reader's own vocabulary, so they are always the true ones.
import { type FieldName, namesOf } from '#trading/reader/vocabulary.ts'
import { type WordGroup, wordsOf } from '#trading/reader/words.ts'
import type { Topic } from '../topic.ts'

/** The usual ones of both languages; all of them would be a page. */
const LATIN = 5
const HAN = 4
const isHan = (word: string) => /\p{Script=Han}/u.test(word)
const some = (words: readonly string[]) =>
  [...words.filter((word) => !isHan(word)).slice(0, LATIN), ...words.filter(isHan).slice(0, HAN)].join('、')

const fields = (label: string, ...names: readonly FieldName[]) => `${label}：${some(names.flatMap(namesOf))}`
const said = (label: string, ...groups: readonly WordGroup[]) => `${label}：${some(groups.flatMap(wordsOf))}`

export const READING: Topic = {
  id: 'reading',
  title: '讀得懂的欄位和字',
  also: '欄位名稱 動作 單位 數量 不認得 忽略 拒收',
  blocks: [
    '大小寫、底線、連字號、空白和駝峰寫法都一樣：orderQty、order_qty、ORDER-QTY 是同一個欄位。常用的名稱：',
    {
      list: [
        fields('商品', 'symbol'),
        fields('動作', 'action', 'side'),
        fields('數量', 'quantity', 'contracts', 'futures_lots', 'board_lots', 'shares'),
        fields('價格', 'price'),
        fields('時間', 'now', 'stamp'),
        fields('部位', 'position', 'market_position', 'market_size'),
        fields('編號', 'id'),
      ],
    },
    '動作可以這樣寫；buy、sell 不分進出場，long、short 是進場：',
    {
      list: [
        said('多單進場', 'long_entry'),
        said('多單出場', 'long_exit'),
        said('空單進場', 'short_entry'),
        said('空單出場', 'short_exit'),
        said('出場（有數量就平那麼多，沒有就全部平倉）', 'exit'),
        said('加碼、減碼、反手', 'add', 'reduce', 'reverse'),
      ],
    },
    '讀的規則只有一個：不確定就不收，並說出是哪個欄位。',
    {
      list: [
        '只寫「進場」而策略多空都做，會問你是多還是空：請寫新買或新賣。',
        '不認得的欄位如果像方向、數量、商品、部位或委託種類，整則拒收；在「用這則建立對應」說明它，或選「忽略這個欄位」。',
        '股票的 contracts 和部位是股；口數、張數、股數照字面；百分比、金額、風險不收。',
        '停損、停利裡的價格和數量不會被當成委託；測試訊息、委託狀態、停損單不成為訊號。',
        '一則訊息一筆訊號；同一件事寫了兩種、同一個欄位出現兩次，都不收。',
      ],
    },
  ],
}
