/** What other features may use of home. */
export {
  type ArrivalRows,
  countRows,
  type DayFigure,
  goalOf,
  type HomePart,
  type LaneRows,
  type NextWork,
} from './home-part.ts'
