import { Slider as Primitive } from '@base-ui/react/slider';
import { useEffect } from 'react';
import { SLIDER } from '../../../shared/constants.ts';
import styles from './slider.module.css';
import { sliderProblem, validScale } from './slider-problem.ts';

type SliderProps = {
  /** Accessible name. */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  /** The value as text, with its unit. */
  valueText?: (value: number) => string;
  disabled?: boolean;
};

/**
 * A slider. In the browser only, as its position is a style attribute. An invalid scale is reported as an error of the
 * page and corrected.
 */
export function Slider({
  label,
  value,
  onChange,
  min = SLIDER.min,
  max = SLIDER.max,
  step = 1,
  valueText = String,
  disabled = false,
}: SliderProps) {
  const scale = { min, max, value };
  const problem = sliderProblem(scale);
  useEffect(() => {
    if (problem) reportError(new RangeError(problem));
  }, [problem]);
  return (
    <Primitive.Root
      {...validScale(scale)}
      className={styles.slider}
      step={step}
      disabled={disabled}
      onValueChange={onChange}
    >
      <Primitive.Control className={styles.control}>
        <Primitive.Track className={styles.track}>
          <Primitive.Indicator className={styles.filled} />
          <Primitive.Thumb
            className={styles.button}
            getAriaLabel={() => label}
            getAriaValueText={(_formatted, current) => valueText(current)}
          />
        </Primitive.Track>
      </Primitive.Control>
    </Primitive.Root>
  );
}
