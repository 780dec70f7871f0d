// The guide: on this device — offline, installing, privacy, keys.
import type { Group } from '../topic.ts'

export const DEVICE: Group = {
  title: '在這支裝置上',
  topics: [
    {
      id: 'offline',
      title: '沒有網路的時候',
      also: '離線 待送匣 快取',
      blocks: [
        {
          list: [
            '看過的畫面和最新 5,000 筆訊號存在這支裝置，沒有網路也打得開，畫面會寫資料更新於幾點。',
            '離線時做的事（例如開關策略的通知）先存進「待送匣」，恢復連線後自動送出，只送一次。',
            '在手機上，把策略列表、全部訊號或首頁往下拉，就會再問一次伺服器；連不上時會說這是存下的資料。',
            '右上角的連線狀態寫著幾筆待送；按它可以看每一筆、立即重試或取消。',
            '需要伺服器當場回答的事（例如建立策略）離線時不能做，填好的內容不會不見。',
            '組織的使用期限到了，離線的資料也會鎖上。',
          ],
        },
        '換裝置或借人用之前，到「個人設定」的「離線資料」清除。',
        { href: '/profile', label: '個人設定' },
      ],
    },
    {
      id: 'install-iphone',
      title: '安裝到 iPhone、iPad',
      also: 'ios safari 主畫面 pwa app',
      blocks: [
        {
          steps: [
            '用 Safari 打開凌波。',
            '按分享鈕；看不到時先按「⋯」，裡面有「分享」。往下捲，選「加入主畫面」。',
            '按「加入」。之後從主畫面打開，沒有網址列，沒有網路也能看紀錄。',
          ],
        },
      ],
    },
    {
      id: 'install-android',
      title: '安裝到 Android',
      also: 'chrome 主畫面 pwa app',
      blocks: [
        {
          steps: [
            '用 Chrome 打開凌波。',
            '按右上角的選單，選「安裝應用程式」或「加到主畫面」。',
            '按「安裝」。長按圖示還有捷徑。',
          ],
        },
      ],
    },
    {
      id: 'install-desktop',
      title: '安裝到電腦',
      also: 'windows mac chrome edge pwa',
      blocks: [
        {
          steps: [
            '用 Chrome 或 Edge 打開凌波，按網址列右端的安裝圖示。',
            'Mac 的 Safari：選單「檔案」裡的「加入 Dock」。',
            '之後像一般應用程式一樣，有自己的視窗。',
          ],
        },
      ],
    },
    {
      id: 'privacy',
      title: '隱私模式',
      also: '遮住 金額 姓名 星號',
      blocks: [
        '在大頭照的選單或「個人設定」打開。姓名、信箱和組織名稱換成同樣長的星號，金額換成圓點，報讀軟體唸「已隱藏」；表單裡的值在點進欄位時才看得到，百分比和價格照常顯示。重新登入後是關的。',
      ],
    },
    {
      id: 'appearance',
      title: '深色、漲跌顏色',
      also: '主題 紅漲綠跌 綠漲紅跌',
      blocks: [
        '在「個人設定」的「外觀」選淺色、深色或跟隨系統，以及紅漲綠跌或綠漲紅跌。漲跌一定同時有箭頭和正負號。',
      ],
    },
    {
      id: 'keyboard',
      title: '鍵盤快速鍵',
      also: 'shortcut 快捷鍵 關閉',
      blocks: ['打字時和視窗打開時不會作用。用語音輸入，或常誤按，可以整個關掉。', { keys: true }],
    },
  ],
}
