/** 8 to 20 characters with at least one digit, one letter and one special character. */
export function isPassword(text: string): boolean {
  return (
    text.length >= 8 &&
    text.length <= 20 &&
    /\d/.test(text) &&
    /[A-Za-z]/.test(text) &&
    /[^A-Za-z0-9\s]/.test(text)
  )
}
