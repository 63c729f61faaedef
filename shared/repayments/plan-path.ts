/** Address of an instalment's page. @param from menu its list belongs to */
export function planPath(planId: string, from: string): string {
  return `/detail1?planId=${encodeURIComponent(planId)}&from=${encodeURIComponent(from)}`
}
