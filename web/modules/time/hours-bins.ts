import type { HistogramBin } from '#web/ui/charts/Histogram.tsx'

const maxBins = 12
const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000]

/**
 * How many projections fall where, in hours. One edge is on the target, so that no bar holds both who finishes and who
 * falls short.
 *
 * @param projections minutes, ascending
 * @param target minutes
 */
export const histogramBins = (projections: readonly number[], target: number): HistogramBin[] => {
  const hours = projections.map((minutes) => minutes / 60)
  const aim = target / 60
  const low = Math.min(aim, hours[0] ?? aim)
  const high = Math.max(aim, hours.at(-1) ?? aim)
  const width = steps.find((step) => (high - low) / step <= maxBins - 2) ?? (high - low) / (maxBins - 2)
  const before = Math.ceil((aim - low) / width)
  const after = Math.floor((high - aim) / width) + 1
  const bins = Array.from({ length: before + after }, (_, index) => ({
    from: aim + (index - before) * width,
    to: aim + (index - before + 1) * width,
    count: 0,
  }))
  for (const value of hours) bins[Math.floor((value - aim) / width) + before]!.count++
  return bins
}
