import { useEffect, useRef, useState } from "react";

/** From 5 to 0, a second each. */
const COUNTDOWN_SECONDS = 5;
const TICK_MS = 1_000;

/** Counts down, and calls back at the end. Returns the seconds left; once stopped, they stay the same. */
export function useCountdown(isStopped: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS);

  useEffect(() => {
    if (isStopped) return undefined;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), TICK_MS);
    return () => clearInterval(timer);
  }, [isStopped]);

  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (left === 0) end.current();
  }, [left]);

  return left;
}
