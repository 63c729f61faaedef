/** `rahul.k@okbank` → `ra***@okbank`. */
export function maskUpi(vpa: string): string {
  const at = vpa.lastIndexOf('@')
  return at < 1 ? '***' : `${vpa.slice(0, Math.min(2, at - 1))}***${vpa.slice(at)}`
}
