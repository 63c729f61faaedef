/** Address of an order's page. @param from menu its list belongs to */
export function orderPath(orderId: string, from: string): string {
  return `/detail?orderId=${encodeURIComponent(orderId)}&from=${encodeURIComponent(from)}`
}
