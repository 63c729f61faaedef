/** Address of a review's page. @param from menu its list belongs to */
export function reviewPath(reviewId: string, from = 'review_list'): string {
  return `/detail2?reviewId=${encodeURIComponent(reviewId)}&from=${encodeURIComponent(from)}`
}
