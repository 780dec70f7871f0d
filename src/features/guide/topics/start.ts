// The guide: from a new account to the first signal.
import type { Group } from '../topic.ts'

export const START: Group = {
  title: '開始',
  topics: [
    {
      id: 'create',
      title: '建立策略',
      also: '新增 電子郵件 驗證 webhook',
      blocks: [
        '策略是一組訊號的家：名稱、商品、資金，和一個專屬的 Webhook 網址。建立前要先驗證電子郵件。',
        {
          steps: [
            '到「個人設定」按「寄出驗證碼」，輸入信裡的 6 位數字。已驗證就跳過。',
            '在「策略列表」按「新增策略」，選類型，填名稱、商品和初始資金，其他都有預設值。',
            '建立後會看到 Webhook 網址和要貼的訊息。複製到 TradingView、XQ 或 MultiCharts。',
            '畫面會等第一筆測試訊號。收到了就會出現，不用重新整理。',
          ],
        },
        { href: '/strategies/create', label: '新增策略' },
      ],
    },
    {
      id: 'test',
      title: '先用 curl 測試網址',
      also: '指令 終端機',
      blocks: [
        '把下面的網址換成自己的 Webhook 網址，在終端機執行。回應的 status 是 accepted，就是收下了。',
        { template: 'curl', copy: '複製指令' },
        '沒收下的訊息也會留著：策略的「設定」分頁有每一次送來的原文、結果和原因，改好對應後可以重新解析：一則、選幾則，或照結果與時間整批；先看會改變什麼，再照做。',
      ],
    },
    {
      id: 'read',
      title: '看懂一筆訊號',
      also: '印 實心 空心 多 空 延遲 待補價 作廢',
      blocks: [
        {
          list: [
            '左邊的印：多、空是期貨，買、賣是股票。實心是進場或加碼，空心是減碼或出場。',
            '價格下面的「0 → +2」是部位變化，平倉時旁邊是已實現損益，已扣手續費和稅。',
            '「延遲」是觸發後太久才收到；「待補價」是訊息沒有價格，補上後損益才會算。',
            '「契約已到期」是月份過了最後交易日、部位還沒平倉：在策略的「總覽」填最後結算價，就會另記一筆平倉。',
            '紀錄不能改。寫錯可以作廢或補價，兩者都會另記一筆，原本的那筆還在。',
          ],
        },
        { href: '/signals', label: '全部訊號' },
      ],
    },
  ],
}
