// The ten pages of the guide in order. Plain data: nothing is fetched, so it reads offline. A page is at most two screens of a phone.
import { BRIDGE_COMMANDS, templateOf } from '#text/webhook.ts'
import { EXAMPLE } from '#trading/examples.ts'
import type { MessageTemplate } from '#trading/message-templates.ts'

/** A paragraph; a heading; numbered steps; a list; a message to copy; other text of machines; a picture of the gallery by its name
 * (`npm run bench -- gallery`); a link into the application; 新增策略, or where somebody goes who may not; the keys; what only
 * some need, folded (`was`: its anchor of before). */
export type Block =
  | string
  | { head: string }
  | { steps: readonly string[] }
  | { list: readonly string[] }
  | { template: MessageTemplate['id']; copy: string }
  | { code: string; label: string; copy: string }
  | { picture: string; alt: string }
  | { href: string; label: string }
  | { create: string; elsewhere: string }
  | { keys: true }
  | { more: string; was?: string; blocks: readonly Block[] }

/** `id` stands in the address; `lead` on the list of pages; `also` words that people search for and that the text does not say;
 * `was` anchors of old addresses that lead here. */
export type Topic = {
  id: string
  title: string
  lead: string
  also?: string
  was?: readonly string[]
  blocks: readonly Block[]
}

/** What XQ's line of the template leaves in the file. */
export const XQ_LINE = `20261120.000000 93000.000000 MXF ${EXAMPLE.index}.000000 新買`
const MULTICHARTS = `Print(File("D:\\Print\\lingbo.log"), Date:0:0, " ", Time:0:0, " MXF ", Close:0:2, " Buy");`
/** What that leaves in the file. */
export const MULTICHARTS_LINE = `1261120 930 MXF ${EXAMPLE.index}.00 Buy`

export const TOPICS: readonly Topic[] = [
  {
    id: 'start',
    title: '建立策略',
    lead: '填名稱和商品，收到第一則訊息',
    also: '新增 電子郵件 webhook 指令 終端機',
    was: ['create', 'test', 'note'],
    blocks: [
      '策略是一組訊號的家：名稱、商品，和一個專屬的 Webhook 網址。建立前要先在「個人設定」驗證電子郵件。',
      {
        steps: [
          '在「策略列表」按「新增策略」，選類型，填名稱和商品，選訊號從哪裡來。其他都有預設值。',
          '照下一步把網址和訊息貼到來源；自己送的，打開手動訊號。',
          '畫面會等第一則訊息。收到就出現，不用重新整理。',
        ],
      },
      { picture: 'create', alt: '新增策略的表單：名稱、商品、訊號從哪裡來' },
      {
        create: '新增策略',
        elsewhere: '你現在的身份不能新增策略，組織的策略由管理者新增。要建立自己的，先切換到個人身份。',
      },
      {
        more: '先用 curl 測試網址',
        was: 'test',
        blocks: [
          '把網址換成自己的 Webhook 網址，在終端機執行。回應的 status 是 accepted，就是收下了。',
          { template: 'curl', copy: '複製指令' },
        ],
      },
      {
        more: '寫策略的說明',
        was: 'note',
        blocks: [
          '在「編輯策略」的說明記下進出場的規則，看得到策略的人都讀得到，離線也行。可以寫 Markdown、加圖片，最多 10 張；圖片會重新存過，不含拍攝的時間和地點。從說明拿掉的圖片，七天後移除。',
        ],
      },
    ],
  },
  {
    id: 'tradingview',
    title: '接上 TradingView',
    lead: '快訊貼上網址和訊息',
    also: '快訊 alert webhook pine',
    blocks: [
      {
        steps: [
          '在圖表建立快訊，條件選策略本身，策略的變數才會填入實際的值。',
          '「訊息」欄清空，貼上下面的訊息，原樣就好。',
          '「通知」分頁勾選 Webhook URL，貼上策略的網址。知道網址的人就能送訊號，請當密碼保管。',
        ],
      },
      { template: 'tradingview_strategy', copy: '複製策略訊息' },
      {
        list: [
          '要有付費方案，並開啟兩步驟驗證，才有 Webhook。',
          'TradingView 只連 80 和 443 埠，連不到本機或內網的網址。',
          '指標快訊的頻率選「每根 K 棒收盤」。快訊會到期，到期前記得延長。',
          '同一筆重送不會變成兩筆：訊息帶的 id 和時間用來認出它。',
        ],
      },
      {
        more: '自己在 Pine 決定動作',
        blocks: [
          'alert_message 填 long_entry、long_exit、short_entry 或 short_exit，訊息改用這一段：',
          { template: 'four_actions', copy: '複製四動作訊息' },
        ],
      },
      {
        more: '指標快訊',
        blocks: ['指標沒有策略變數，動作直接寫在訊息裡：', { template: 'indicator', copy: '複製指標訊息' }],
      },
    ],
  },
  {
    id: 'xq',
    title: '接上 XQ、MultiCharts',
    lead: '腳本寫進檔案，橋接程式送出',
    also: '全球贏家 嘉實 XScript 警示 橋接 big5 powershell PowerLanguage print',
    was: ['multicharts'],
    blocks: [
      '這兩個軟體的腳本不能直接連網址：腳本把訊號寫進檔案，同一台電腦上的橋接程式把新的一行送出去。',
      {
        steps: [
          '在策略的「設定」分頁，把「訊號來源」選成 XQ 或 MultiCharts。',
          '在腳本觸發的地方加上一行。XQ 最後的字寫新買、新賣、平買或平賣：',
        ],
      },
      { template: 'xq_print', copy: '複製 XQ 腳本' },
      '「設定」分頁有「橋接程式」可以下載，網址已經填好。放進一個資料夾，在那裡打開 Windows PowerShell 執行，路徑換成腳本寫檔案的地方：',
      { code: BRIDGE_COMMANDS.powershell, label: '啟動橋接程式', copy: '複製啟動指令' },
      {
        list: [
          '視窗和看盤軟體要開著，電腦不要睡著。「設定」看得到它 5 分鐘內有沒有回報。',
          '第一次執行時已經在檔案裡的行不送。連不上時會等，恢復後照順序補送。',
          '有 Python 的電腦也能用 Python 版。檔案裡有網址，等於密碼。',
        ],
      },
      {
        more: 'XQ 寫出的一行',
        blocks: [
          { code: XQ_LINE, label: 'XQ 寫出的一行', copy: '複製這一行' },
          '警示和選股的策略，同一天、同一代號、同樣的動作只取第一筆；每一則都要時，在策略的編輯頁關掉「同一代號每日只取第一筆」。',
        ],
      },
      {
        more: 'MultiCharts 的一行',
        was: 'multicharts',
        blocks: [
          { code: MULTICHARTS, label: 'PowerLanguage 的一行', copy: '複製 PowerLanguage' },
          { code: MULTICHARTS_LINE, label: 'MultiCharts 寫出的一行', copy: '複製這一行範例' },
          'Buy 與 SellShort 是進場；Sell 是多單出場，BuyToCover 是空單出場。商品代號寫成策略的商品，例如 MXF、TXF。',
        ],
      },
    ],
  },
  {
    id: 'reading',
    title: '訊息怎麼讀',
    lead: '看過一次的才收，沒看過的先問你',
    also: '格式 未確認 欄位 單位 對應 不認得 忽略 拒收 422 429',
    blocks: [
      '使用說明裡的範本、TradingView 的預設訊息、XQ 與 MultiCharts 寫出的行、TradersPost 和 3Commas 的訊息不用確認。其他寫法第一次進來時先等著，不會成為訊號；手機會響，列表寫「等你確認」。',
      {
        steps: [
          '點開是那則訊息的原文，標出每個值是什麼，上面寫著它會成為什麼訊號、部位會變成多少。',
          '對的話按「是，以後這樣讀」：等著的照收到的時間記錄，之後同樣的訊息直接收下。',
          '不對就按「不對」，指定每個欄位是什麼，邊改邊看結果。',
        ],
      },
      {
        list: [
          '一則訊息說不清楚的會問一次，例如 contracts 是這一筆的口數還是成交後的部位，股票的數字是張還是股。',
          '多一個欄位、少一個欄位，或動作出現新的字，都會再問，不會猜。',
          '「沒收下」寫著原因，例如商品不符、價格不對：修正來源後重送，或改好設定再重新解析，會先試算給你看。',
          '確認過的格式列在策略的「設定」，可以改名、改怎麼讀或刪除。',
          '網址外流了就換一個：舊網址立刻失效，歷史紀錄不受影響。',
        ],
      },
      { href: '/strategies', label: '策略列表' },
    ],
  },
  {
    id: 'signals',
    title: '看懂訊號與紀錄',
    lead: '每個記號的意思，紀錄怎麼證明沒被改過',
    also: '印 夜盤 匯出 json csv hash 鏈 證明',
    was: ['read', 'verify'],
    blocks: [
      { picture: 'signals', alt: '訊號的列表，每一列是策略、動作、商品、價格與部位變化' },
      {
        list: [
          '左邊的印：多、空是期貨，買、賣是股票。實心是進場或加碼，空心是減碼或平倉。',
          '價格下面的「0 → +2」是部位變化，平倉時旁邊是已實現損益，已扣手續費和稅。',
          '夜盤屬於下一個交易日。「延遲」是觸發後太久才收到。',
          '「待補價」是訊息沒有價格，補上後損益才會算。',
          '「價格可疑」是和近日的價格差得太多，例如多打一個零。部位照算，損益等你確認或更正。',
          '「契約已到期」是過了最後交易日還沒平倉，填最後結算價就會記一筆平倉。',
          '「部位不一致」是來源說的部位和這裡的紀錄不同，可能漏收了一筆：補一筆、以來源為準，或忽略。',
          '紀錄不能改。寫錯可以作廢或補價，兩者都會另記一筆，原本的那筆還在。',
        ],
      },
      { href: '/signals', label: '全部訊號' },
      {
        more: '驗證紀錄沒有被改過',
        was: 'verify',
        blocks: [
          '每一筆訊號都帶著前一筆的雜湊。改動、刪除或插入任何一筆，後面全部對不上。',
          {
            steps: [
              '打開策略的「訊號」分頁，按「驗證與匯出」。',
              '這個瀏覽器會重算每一筆，完成後說結果：完整，或從哪一筆開始對不上。',
              '要給別人看，匯出 JSON。收到檔案的人不用帳號也不用連線，在裝了凌波程式的電腦上就能檢查：',
            ],
          },
          { code: 'npm run verify -- 檔案.json', label: '檢查匯出的檔案', copy: '複製檢查指令' },
        ],
      },
    ],
  },
  {
    id: 'manual',
    title: '手動送出訊號',
    lead: '自己按，沒有網路也能送',
    also: '下單 人工',
    blocks: [
      '可以編輯策略的人，在策略列表或策略頁按「手動訊號」，或按鍵盤的 n。',
      {
        steps: [
          '選動作、數量和價格。',
          '畫面先算出送出後的部位和預估損益，看過再確認送出。',
          '誤觸可以作廢；送出後和其他訊號一樣不能改。',
        ],
      },
      { picture: 'manual', alt: '手動訊號的動作、數量與價格' },
      {
        list: [
          '沒有網路時先存在這支裝置，排在列表最上面，連上後依序送出，只會成為一筆。',
          '放超過 2 分鐘不會自己送出，會先問你。時限可以在待送匣改成最長 24 小時。',
          '還在待送的，取消就沒有了。',
        ],
      },
      { href: '/strategies', label: '策略列表' },
    ],
  },
  {
    id: 'notify',
    title: '讓手機響',
    lead: '推播、Telegram、LINE；每個策略響或不響',
    also: '站內 ios 主畫面 discord 電子郵件 通道 規則 訊號設定 機器人 bot 解除 安靜 睡覺 晚上 簽章 密鑰 程式',
    was: ['notify-iphone', 'notify-telegram', 'quiet', 'robot'],
    blocks: [
      {
        steps: [
          '手機先安裝到主畫面，從那裡打開。iPhone、iPad 一定要這樣，Safari 的分頁裡沒有推播。',
          '到「訊號通知」的「設定」按「推播」，再按「打開推播」，選「允許」，傳送測試。',
          'Telegram、LINE 按「綁定」，用連結或掃碼打開，回到凌波按「是我，連結」。',
        ],
      },
      { picture: 'notify', alt: '通知設定：每個策略響或不響，和各個通道' },
      { href: '/signal-notification?tab=setting', label: '通知設定' },
      {
        list: [
          '每個策略的鈴鐺選「響」、「安靜收下」（只放進收件匣）或「關」，離線也能改。',
          '依序通知：先推播，沒送到才換下一個。有一個送到了，後面的就不響。',
          '勿擾時段不響，結束後一次告訴你；鈴鐺的「進階」可以打開「勿擾時段也響」。',
          '曾經按過「不允許」：到 iPhone 的「設定」→「通知」→「凌波」打開，再回來按一次。',
        ],
      },
      {
        more: '訊號規則',
        blocks: [
          '股票與 XQ 股票的策略，可以寫哪些股票、多少錢、幾點的訊號才算數或才通知；由上往下比對，第一條符合的算數。「整個策略」的規則決定紀錄，「只對我」的只決定我收到什麼。',
        ],
      },
      {
        more: '用程式收訊號：外送 Webhook',
        was: 'robot',
        blocks: [
          '每筆訊號以 POST 送到你的 https 網址，勿擾時段也照送。內容是 JSON：type（signal.created、signal.voided 或 test）、timestamp、data（紀錄）。回 2xx 才算送到，否則會再試。',
          '簽章照 Standard Webhooks：標頭 webhook-id、webhook-timestamp、webhook-signature，用存網址時顯示一次的密鑰驗證。webhook-id 相同就是同一則。密鑰外流時按「換新的密鑰」。',
        ],
      },
    ],
  },
  {
    id: 'why',
    title: '沒收到的時候',
    lead: '一步一步找出是哪裡擋住',
    also: '沒響 沒有送到 重送 斷線 逾時 警示 快訊過期',
    was: ['silence'],
    blocks: [
      '「為什麼沒收到」看四層：策略、勿擾時段、通道、這支裝置，能修的旁邊就有按鈕。',
      { picture: 'why', alt: '為什麼沒收到：每一層檢查的結果' },
      '下面的「發送紀錄」寫著每一次送到哪裡、試了幾次、為什麼沒有送到，也可以重送。',
      { href: '/signal-notification?tab=why', label: '為什麼沒收到' },
      { head: '來源斷了也要知道' },
      '快訊到期、電腦關機、網路斷了，來源都不會說。在策略的編輯頁打開「太久沒收到訊號時提醒我」。',
      {
        list: [
          '只算交易時段；夜盤只有「日夜盤」的策略才算。',
          '留空時，依這個策略過去的頻率判斷，至少要收過 21 筆。',
          '訊號很少的策略，讓來源定時送一則心跳，內容只寫 PING。',
          '每次只提醒一次，有訊息進來就結束。策略暫停、封存或 Webhook 停用時不提醒。',
        ],
      },
    ],
  },
  {
    id: 'device',
    title: '安裝、離線與隱私',
    lead: '放到主畫面，沒有網路也能看',
    also: 'ios ipad safari chrome edge windows mac pwa app 快取 星號 主題 深色 紅漲綠跌 綠漲紅跌 shortcut 快捷鍵',
    was: [
      'install-iphone',
      'install-android',
      'install-desktop',
      'offline',
      'privacy',
      'appearance',
      'keyboard',
    ],
    blocks: [
      {
        list: [
          'iPhone、iPad：用 Safari 打開凌波，按分享鈕（看不到時先按「⋯」），選「加入主畫面」，按「加入」。',
          'Android：用 Chrome 打開凌波，選單裡選「安裝應用程式」或「加到主畫面」，按「安裝」。',
          '電腦：用 Chrome 或 Edge，按網址列右端的安裝圖示；Mac 的 Safari 在選單「檔案」選「加入 Dock」。',
        ],
      },
      { head: '沒有網路的時候' },
      {
        list: [
          '看過的畫面和最新 5,000 筆訊號存在這支裝置，離線也打得開，會寫資料更新於幾點。',
          '離線時做的事先存進「待送匣」，恢復連線後自動送出，只送一次。按右上角的連線狀態，看得到每一筆。',
          '需要伺服器當場回答的事（例如建立策略）離線時不能做，填好的內容不會不見。',
          '換裝置或借人用之前，到「個人設定」清除離線資料。組織的使用期限到了，離線的資料也會鎖上。',
        ],
      },
      { head: '隱私與外觀' },
      {
        list: [
          '隱私模式在大頭照的選單打開：姓名換成星號，金額換成圓點，百分比和價格照常顯示。',
          '深色和漲跌的顏色在「個人設定」的「外觀」。',
        ],
      },
      { href: '/profile', label: '個人設定' },
      {
        more: '鍵盤快速鍵',
        was: 'keyboard',
        blocks: ['打字時和視窗打開時不會作用。用語音輸入，或常誤按，可以整個關掉。', { keys: true }],
      },
    ],
  },
  {
    id: 'organization',
    title: '組織與公告',
    lead: '加入、邀請成員，誰看得到哪些策略',
    also: '權限 qr 稽核 置頂 草稿 已讀 複製群組 預設天數',
    was: ['identity', 'invite', 'access-log', 'announcement'],
    blocks: [
      {
        list: [
          '收到邀請信或連結就打開它；拿到 8 碼的加入碼，在「我的組織」按「以加入碼加入」。要先驗證電子郵件。',
          '需要審核的會成為申請，在「我的申請」看得到，結果會通知你。30 天沒有審核就過期，可以再申請一次。',
          '畫面上的策略和訊號屬於現在的身份，上方的橫條寫著是誰，也在那裡「切換身份」。',
          '成員看得到所屬群組的策略，不能修改。期限以台北的日期計算，到期當天結束後就看不到。',
          '平台和組織的公告都在「公告」，看過的離線也讀得到。',
        ],
      },
      { href: '/my-organizations', label: '我的組織' },
      {
        more: '管理者：成員與邀請',
        was: 'invite',
        blocks: [
          {
            list: [
              '要自己開一個，在「我的組織」按「建立組織」，你就是第一位管理者。',
              '寄信邀請一個個地址，管理者只能這樣邀請；或建立一個連結給很多人，可以存成 QR 碼的圖片，隨時停用或換新。',
              '每個連結有自己的名額、期限、群組、到期日，要不要審核。曾經是成員的人，一律要審核。',
              '加入申請一次可以通過好幾份；拒絕時寫的原因對方看得到。',
            ],
          },
        ],
      },
      {
        more: '管理者：誰看得到什麼',
        was: 'access-log',
        blocks: [
          {
            list: [
              '把成員和策略放進同一個群組，成員才看得到；「總表」一次看全部的期間。',
              '「誰看得到」選日期，看那時誰看得到、經由哪個群組、到哪一天；變更紀錄只增加，不能改。',
              '「以成員身分檢視」看成員自己的畫面，只能看，不能修改，每小時會記下一筆；按「結束檢視」回到自己。',
            ],
          },
        ],
      },
      {
        more: '管理者：公告',
        was: 'announcement',
        blocks: [
          '給所有成員或選定的群組，現在發布、排定時間或先存草稿。發布時通知每個看得到的人一次，之後改內容不會再通知；也看得到幾個人讀過。',
        ],
      },
    ],
  },
]

function textOf(block: Block): string {
  if (typeof block === 'string') return block
  if ('head' in block) return block.head
  if ('steps' in block) return block.steps.join(' ')
  if ('list' in block) return block.list.join(' ')
  if ('template' in block) {
    const { label, hint, text } = templateOf(block.template)
    return `${label} ${hint} ${text}`
  }
  if ('picture' in block) return ''
  if ('create' in block) return block.create
  if ('more' in block) return `${block.more} ${block.blocks.map(textOf).join(' ')}`
  if ('code' in block) return `${block.label} ${block.code}`
  return 'label' in block ? block.label : '快速鍵 shortcut'
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase()
const says = (text: string, typed: string) =>
  plain(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => plain(text).includes(word))

/** The pages that hold every word that was typed, in order. */
export function found(topics: readonly Topic[], typed: string): Topic[] {
  return topics.filter(({ title, lead, also = '', blocks }) =>
    says(`${title} ${lead} ${also} ${blocks.map(textOf).join(' ')}`, typed),
  )
}

/** Whether a fold holds what was searched: it opens by itself then. */
export const holds = (block: Block, typed: string): boolean => typed !== '' && says(textOf(block), typed)

/** The page that an address names: by its id, or by an anchor of before. */
export function topicAt(name: string): Topic | undefined {
  return TOPICS.find(({ id, was = [] }) => id === name || was.includes(name))
}
