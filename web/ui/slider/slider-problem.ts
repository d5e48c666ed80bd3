export type SliderScale = { min: number; max: number; value: number };

/** Invalid props of a slider, as a message for developers (R 13.3). */
export function sliderProblem({ min, max, value }: SliderScale): string | undefined {
  if (min > max) return 'min should not be greater than max';
  if (value < min) return 'value should not be smaller than min';
  if (value > max) return 'value should not be greater than max';
  return undefined;
}

/** A valid scale to show instead. */
export function validScale({ min, max, value }: SliderScale): SliderScale {
  const low = Math.min(min, max);
  const high = Math.max(min, max);
  return { min: low, max: high, value: Math.min(high, Math.max(low, value)) };
}
