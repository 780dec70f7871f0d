// What is said where a server has nobody to send its mails.

/** Without its full stop: what to do follows. */
export const MAIL_IN_FOLDER = '這台伺服器還沒設定寄信：信寫成檔案，放在伺服器資料夾的 mail 裡'
