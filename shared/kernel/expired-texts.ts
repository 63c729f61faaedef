/**
 * The end of a session in the caller's language: the one refusal that reaches callers who have no
 * console to translate it. The same texts as `locales/<language>/problems.json` (tested).
 */
import { chooseLanguage, type Language } from './languages.ts'

export const EXPIRED_TEXTS: Readonly<Record<Language, string>> = {
  en: 'Session expired, please log in again',
  zh: '会话已过期，请重新登录',
  es: 'La sesión ha caducado, inicie sesión de nuevo',
  ja: 'セッションの有効期限が切れました。もう一度ログインしてください',
  vi: 'Phiên đã hết hạn, vui lòng đăng nhập lại',
  id: 'Sesi kedaluwarsa, silakan masuk lagi',
  th: 'เซสชันหมดอายุ โปรดเข้าสู่ระบบอีกครั้ง',
}

/** @param accepted the header Accept-Language; its first language of ours decides */
export function expiredText(accepted: string | undefined): string {
  return EXPIRED_TEXTS[chooseLanguage(...(accepted ?? '').split(/[,;]/).map((one) => one.trim()))]
}
