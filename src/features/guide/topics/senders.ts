// The guide: connecting TradingView, XQ and MultiCharts. The samples are read by the code of the intake in the tests.
import { BRIDGE_COMMANDS } from '#text/webhook.ts'
import { EXAMPLE } from '#trading/examples.ts'
import type { Group } from '../topic.ts'

/** What XQ's line of the template leaves in the file. */
export const XQ_LINE = `20261120.000000 93000.000000 MXF ${EXAMPLE.index}.000000 新買`
const MULTICHARTS = `Print(File("D:\\Print\\lingbo.log"), Date:0:0, " ", Time:0:0, " MXF ", Close:0:2, " Buy");`
/** What that leaves in the file. */
export const MULTICHARTS_LINE = `1261120 930 MXF ${EXAMPLE.index}.00 Buy`

export const SENDERS: Group = {
  title: '接上訊號來源',
  topics: [
    {
      id: 'tradingview',
      title: '接上 TradingView',
      also: '快訊 alert webhook pine',
      blocks: [
        {
          steps: [
            '在 TradingView 的圖表建立快訊，條件選策略本身，策略的變數才會填入實際的值。',
            '「訊息」欄清空，貼上下面的訊息，原樣就好。',
            '「通知」分頁勾選 Webhook URL，貼上策略的網址。知道網址的人就能送訊號，請當密碼保管。',
          ],
        },
        { template: 'tradingview_strategy', copy: '複製策略訊息' },
        '自己在 Pine 決定動作時，alert_message 填 long_entry、long_exit、short_entry 或 short_exit，訊息改用這一段：',
        { template: 'four_actions', copy: '複製四動作訊息' },
        '指標快訊沒有策略變數，動作直接寫在訊息裡：',
        { template: 'indicator', copy: '複製指標訊息' },
        {
          list: [
            '要有付費方案，並開啟兩步驟驗證，才有 Webhook。',
            'TradingView 只連 80 和 443 埠，連不到本機或內網的網址。',
            '指標快訊的頻率選「每根 K 棒收盤」。快訊會到期，到期前記得延長。',
            '同一筆重送不會變成兩筆：訊息帶的 id 和時間用來認出它。',
          ],
        },
      ],
    },
    {
      id: 'xq',
      title: '接上 XQ 全球贏家',
      also: '嘉實 XScript 警示 腳本 橋接 big5 powershell',
      blocks: [
        'XQ 的腳本不能直接連網址，所以分兩步：腳本把訊號寫進檔案，這台電腦上的一小段程式把新的一行送出去。',
        {
          steps: [
            '在策略的「設定」分頁，把 Webhook 的「訊號來源」選成 XQ。',
            '在腳本觸發的地方加上這一行，最後的字寫動作：新買、新賣、平買、平賣；只寫「進場」時，只有只做多或只做空的策略讀得懂。',
          ],
        },
        { template: 'xq_print', copy: '複製 XQ 腳本' },
        { code: XQ_LINE, label: 'XQ 寫出的一行', copy: '複製這一行' },
        '警示和選股的策略，同一個 Webhook、同一天、同一代號、同樣的動作只取第一筆；每一則都要時，在策略的編輯頁關掉「同一代號每日只取第一筆」。',
        '策略的「設定」分頁有「橋接程式」可以下載，網址已經填好。放在同一台電腦的一個資料夾，在那裡打開 Windows PowerShell 執行這一行，路徑換成腳本寫檔案的地方：',
        { code: BRIDGE_COMMANDS.powershell, label: '啟動橋接程式', copy: '複製啟動指令' },
        {
          list: [
            '視窗開著就會一直送，XQ 也要開著，電腦不要睡著。設定分頁看得到它 5 分鐘內有沒有回報。',
            '第一次執行時已經在檔案裡的行不送。連不上時會等，恢復後照順序補送。',
            '有 Python 的電腦也能用 Python 版。檔案裡有網址，等於密碼，不要給別人。',
          ],
        },
      ],
    },
    {
      id: 'multicharts',
      title: '接上 MultiCharts',
      also: 'PowerLanguage 橋接 print',
      blocks: [
        '做法和 XQ 一樣：寫進檔案，再由橋接程式送出。Webhook 的「訊號來源」選成 MultiCharts，Buy、Sell、SellShort、BuyToCover 才會照 PowerLanguage 的意思解讀：Sell 是多單出場，BuyToCover 是空單出場。',
        { code: MULTICHARTS, label: 'PowerLanguage 的一行', copy: '複製 PowerLanguage' },
        { code: MULTICHARTS_LINE, label: 'MultiCharts 寫出的一行', copy: '複製這一行範例' },
        '「訊號來源」選成 MultiCharts 後，同一個分頁就有橋接程式，用法和上一節相同。商品代號寫成策略的商品，例如 MXF、TXF。',
      ],
    },
    {
      id: 'reading',
      title: '訊息怎麼讀',
      also: '格式 確認 等你確認 未確認 欄位 動作 口數 單位 對應 不認得 忽略 拒收 沒收下 422 429',
      blocks: [
        '讀的規則只有一個：看過一次的才收，沒看過的先問你。',
        {
          list: [
            '現成的格式不用確認：上面的範本、TradingView 的預設訊息、XQ 與 MultiCharts 寫出的行、TradersPost 和 3Commas 的訊息。',
            '其他寫法第一次進來時先等著，不會成為訊號；手機會響，列表寫「等你確認」。',
            '點開就是那則訊息的原文：會看的標出是什麼，灰色的不看，上面寫著它會成為什麼訊號、部位會變成多少。',
            '對的話按「是，以後這樣讀」：等著的照收到的時間記錄，之後同樣的訊息直接收下。不對就按「不對」，指定每個欄位是什麼，邊改邊看結果。',
            '一則訊息說不清楚的會問一次，例如 contracts 是這一筆的數量還是成交後的部位，股票的數字是張還是股。',
            '多一個欄位、少一個欄位，或動作出現新的字，都會再問，不會猜；認得的格式出現新的字，只問那個字。',
            '確認過的格式列在策略的「設定」，可以改名、看樣本、改怎麼讀或刪除。確認要連上網路。',
            '確認也救不了的會寫「沒收下」和原因，例如商品不符、價格不對、變數沒替換：修正來源後重送，或改好設定再重新解析，會先試算給你看。',
            '網址外流了就換一個：舊網址立刻失效，歷史紀錄不受影響。',
          ],
        },
        { href: '/strategies', label: '策略列表' },
      ],
    },
  ],
}
