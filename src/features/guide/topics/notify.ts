// The guide: being told of signals — channels, pushes on each platform, quiet hours, and what to do when nothing came.
import type { Group } from '../topic.ts'

export const NOTIFY: Group = {
  title: '通知',
  topics: [
    {
      id: 'notify',
      title: '訊號怎麼通知我',
      also: '站內 推播 telegram line discord 電子郵件 webhook 通道',
      blocks: [
        '在「訊號通知」的「設定」選：每個通道要不要用、哪一種通知送到哪裡、每個策略要不要響。離線也能改，連線後自動送出；兩支裝置改到同一項，以較晚的為準，早的那個可以一按還原。',
        {
          list: [
            '站內：凌波裡的「訊號通知」，永遠都有，不必設定。',
            '推播：手機和電腦鎖著螢幕也看得到，點開就是那筆紀錄，沒有網路也打得開。離線幾小時後，晚到的合成一則，只響一次。',
            'Telegram、LINE：一次性的連結綁定，按鈕或掃碼都可以，最後在凌波確認是你。伺服器沒有設定的通道會寫明。',
            '電子郵件：寄到驗證過的信箱；訊號要自己勾選才寄。Discord：貼上頻道的 Webhook 網址。',
            '外送 Webhook：把紀錄送到你自己的程式，勿擾時段也照送。',
          ],
        },
        '前一個通道沒有確認送到，可以自動換下一個：在「備援順序」排。',
        { href: '/signal-notification?tab=setting', label: '通知設定' },
      ],
    },
    {
      id: 'notify-iphone',
      title: 'iPhone、iPad 的推播',
      also: 'ios 主畫面 通知 safari 推播',
      blocks: [
        {
          steps: [
            '先把凌波加入主畫面（見「安裝到 iPhone、iPad」）。Safari 的分頁裡沒有推播，這是蘋果的規定。',
            '從主畫面打開凌波並登入。',
            '到「訊號通知」的「設定」，按「推播」，再按「打開推播」，選「允許」。',
            '按「傳送測試」，會說花了幾毫秒。',
          ],
        },
        '曾經按過「不允許」：到 iPhone 的「設定」→「通知」→「凌波」打開，再回來按一次。',
      ],
    },
    {
      id: 'notify-telegram',
      title: '綁定 Telegram 或 LINE',
      also: '機器人 bot 綁定 解除 確認 是我',
      blocks: [
        {
          steps: [
            '到「訊號通知」的「設定」，按「Telegram」，再按「綁定 Telegram」。LINE 也一樣。',
            '按「開啟 Telegram」，或用手機掃那個碼。連結 10 分鐘內有效，只能用一次。',
            '在 Telegram 按「開始」；LINE 是把填好的那句話送出。',
            '回到凌波，畫面會說是哪一個帳號要連結。是你的就按「是我，連結」，之前不會有任何內容送到那裡。',
          ],
        },
        '不是你的：按「不是我，換新的連結」。連結被別人拍到、兩個帳號都用過時，會自動作廢。',
        '把機器人封鎖了，通知就會停；解除封鎖後重新綁定。',
      ],
    },
    {
      id: 'quiet',
      title: '勿擾時段與重要的策略',
      also: '安靜 晚上 睡覺 合併',
      blocks: [
        '勿擾時段可以跨過午夜，選從哪幾天開始。期間的通知照常進「訊號通知」，時段結束後再告訴你；可以讓出場訊號照樣響。標為「重要」的策略任何時候都通知。',
      ],
    },
    {
      id: 'silence',
      title: '太久沒收到訊號時提醒我',
      also: '沒收到 斷線 逾時 警示 快訊過期 心跳',
      blocks: [
        '快訊到期、電腦關機、網路斷了，來源都不會說。在策略的編輯頁打開「進階」，開啟「太久沒收到訊號時提醒我」，可以填超過多少分鐘。',
        {
          list: [
            '只算交易時段：休市、週末和午休後的空檔不算，夜盤只有「日夜盤」的策略才算。',
            '留空時，依這個策略過去的頻率判斷；至少要收過 21 筆間隔一分鐘以上的訊號，在那之前不會提醒。',
            '來源送來的每一則都算還活著，沒收下的和心跳也算。訊號很少的策略，讓來源定時送一則心跳（內容只寫 PING）最準。',
            '每次只提醒一次，有訊息進來就結束。策略卡片、策略頁和首頁的待辦會一直寫著，直到有訊息進來。',
            '伺服器自己停機的時間不算。策略暫停、封存或 Webhook 停用時不提醒。',
          ],
        },
        '提醒屬於「警示」：送到哪裡在通知設定的表裡選，勿擾時段照樣算。',
      ],
    },
    {
      id: 'why',
      title: '為什麼沒收到通知',
      also: '沒響 沒有送到 重送 測試',
      blocks: [
        '「為什麼沒收到」會一步一步看：訊號有沒有進來、策略的通知、勿擾時段、這支裝置的推播、備援順序、各通道的連線、最近的發送，能修的旁邊就有按鈕。「發送紀錄」寫著每一次送到哪裡、試了幾次、為什麼沒有送到，也可以重送。',
        { href: '/signal-notification?tab=why', label: '為什麼沒收到' },
      ],
    },
    {
      id: 'robot',
      title: '用程式跟單：外送 Webhook 的簽章',
      also: 'standard webhooks 簽章 密鑰 程式 機器人',
      blocks: [
        '每筆訊號以 POST 送到你的 https 網址，內容是 JSON，三個欄位：type（signal.created、signal.voided 或 test）、timestamp、data（紀錄）。回 2xx 才算送到，否則會再試。',
        '簽章照 Standard Webhooks：標頭 webhook-id、webhook-timestamp、webhook-signature，用存網址時顯示一次的密鑰驗證。webhook-id 相同就是同一則，重複收到時略過。密鑰外流時按「換新的密鑰」。',
      ],
    },
  ],
}
