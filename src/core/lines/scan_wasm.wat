;; Finds line feeds and other bytes in its own memory, sixteen at a time.
;;
;; All places are offsets into the memory. A search for the n-th line feed
;; returns ~k if there are only k.
(module
  ;; 1 MiB for a part of a file, and a page that loads may run over into.
  (memory (export "memory") 17 17)

  ;; One where the byte at $at is a line feed, else zero.
  (func $one (param $at i32) (result i32)
    (i32.eq (i32.load8_u (local.get $at)) (i32.const 10)))

  ;; A bit for each line feed among the sixteen bytes at $at.
  (func $bits (param $at i32) (result i32)
    (i8x16.bitmask
      (i8x16.eq
        (v128.load (local.get $at))
        (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))

  ;; The line feeds among the four times sixteen bytes at $at, as counts of -1.
  (func $quad (param $at i32) (result v128)
    (local $lf v128)
    (local.set $lf
      (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))
    (i8x16.add
      (i8x16.add
        (i8x16.eq (v128.load (local.get $at)) (local.get $lf))
        (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $lf)))
      (i8x16.add
        (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $lf))
        (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $lf)))))

  ;; The sum of the sixteen lanes, each from 0 to 255.
  (func $sum (param $lanes v128) (result i32)
    (local $wide v128)
    (local.set $wide
      (i32x4.extadd_pairwise_i16x8_u
        (i16x8.extadd_pairwise_i8x16_u (local.get $lanes))))
    (i32.add
      (i32.add
        (i32x4.extract_lane 0 (local.get $wide))
        (i32x4.extract_lane 1 (local.get $wide)))
      (i32.add
        (i32x4.extract_lane 2 (local.get $wide))
        (i32x4.extract_lane 3 (local.get $wide)))))

  ;; How many line feeds lie in [$from, $to).
  (func $count (export "count") (param $from i32) (param $to i32) (result i32)
    (local $found i32) (local $stop i32) (local $lanes v128)
    (block $rest
      (loop $stretch
        (br_if $rest
          (i32.lt_s (i32.sub (local.get $to) (local.get $from)) (i32.const 64)))
        ;; A lane takes four counts a step: after 63 steps it is nearly full.
        (local.set $stop
          (i32.add (local.get $from)
            (select
              (i32.const 4032)
              (i32.and
                (i32.sub (local.get $to) (local.get $from))
                (i32.const -64))
              (i32.gt_s
                (i32.sub (local.get $to) (local.get $from))
                (i32.const 4032)))))
        (local.set $lanes (v128.const i32x4 0 0 0 0))
        (loop $step
          (local.set $lanes
            (i8x16.sub (local.get $lanes) (call $quad (local.get $from))))
          (local.set $from (i32.add (local.get $from) (i32.const 64)))
          (br_if $step (i32.lt_s (local.get $from) (local.get $stop))))
        (local.set $found
          (i32.add (local.get $found) (call $sum (local.get $lanes))))
        (br $stretch)))
    (block $done
      (loop $byte
        (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $found
          (i32.add (local.get $found) (call $one (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $byte)))
    (local.get $found))

  ;; How many pairs of bytes of [$from, $to) are $unit: at most 65,535 times
  ;; sixteen bytes, and a whole number of these.
  (func (export "countUnits") (param $from i32) (param $to i32) (param $unit i32)
    (result i32)
    (local $lanes v128) (local $wanted v128)
    (local.set $wanted (i16x8.splat (local.get $unit)))
    (block $done
      (loop $step
        (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $lanes
          (i16x8.sub
            (local.get $lanes)
            (i16x8.eq (v128.load (local.get $from)) (local.get $wanted))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $step)))
    (local.set $lanes (i32x4.extadd_pairwise_i16x8_u (local.get $lanes)))
    (i32.add
      (i32.add
        (i32x4.extract_lane 0 (local.get $lanes))
        (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add
        (i32x4.extract_lane 2 (local.get $lanes))
        (i32x4.extract_lane 3 (local.get $lanes)))))

  ;; Where the $n-th line feed of [$from, $to) is; $n is at least 1.
  (func (export "nth") (param $from i32) (param $to i32) (param $n i32)
    (result i32)
    (local $found i32) (local $here i32) (local $left i32)
    ;; A far one is looked for in strides, which only count.
    (block $near
      (loop $stride
        (br_if $near
          (i32.or
            (i32.le_s (i32.sub (local.get $n) (local.get $found)) (i32.const 16))
            (i32.lt_s
              (i32.sub (local.get $to) (local.get $from)) (i32.const 4032))))
        (local.set $here
          (call $count
            (local.get $from)
            (i32.add (local.get $from) (i32.const 4032))))
        (br_if $near
          (i32.ge_s
            (i32.add (local.get $found) (local.get $here)) (local.get $n)))
        (local.set $found (i32.add (local.get $found) (local.get $here)))
        (local.set $from (i32.add (local.get $from) (i32.const 4032)))
        (br $stride)))
    (block $none
      (loop $step
        (br_if $none (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $here (call $bits (local.get $from)))
        ;; What lies past the end does not count.
        (local.set $left (i32.sub (local.get $to) (local.get $from)))
        (if (i32.lt_s (local.get $left) (i32.const 16))
          (then
            (local.set $here
              (i32.and (local.get $here)
                (i32.sub
                  (i32.shl (i32.const 1) (local.get $left))
                  (i32.const 1))))))
        (local.set $left
          (i32.sub (local.get $n) (local.get $found)))
        (if (i32.ge_s (i32.popcnt (local.get $here)) (local.get $left))
          (then
            ;; Drop the bits before the one that is wanted.
            (block $last
              (loop $drop
                (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $last (i32.eqz (local.get $left)))
                (local.set $here
                  (i32.and (local.get $here)
                    (i32.sub (local.get $here) (i32.const 1))))
                (br $drop)))
            (return
              (i32.add (local.get $from) (i32.ctz (local.get $here))))))
        (local.set $found
          (i32.add (local.get $found) (i32.popcnt (local.get $here))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $step)))
    (i32.xor (local.get $found) (i32.const -1)))

  ;; The same from the end: where the $n-th last line feed of [$from, $to) is.
  (func (export "nthLast") (param $from i32) (param $to i32) (param $n i32)
    (result i32)
    (local $found i32) (local $here i32) (local $left i32)
    (block $near
      (loop $stride
        (br_if $near
          (i32.or
            (i32.le_s (i32.sub (local.get $n) (local.get $found)) (i32.const 16))
            (i32.lt_s
              (i32.sub (local.get $to) (local.get $from)) (i32.const 4032))))
        (local.set $here
          (call $count
            (i32.sub (local.get $to) (i32.const 4032))
            (local.get $to)))
        (br_if $near
          (i32.ge_s
            (i32.add (local.get $found) (local.get $here)) (local.get $n)))
        (local.set $found (i32.add (local.get $found) (local.get $here)))
        (local.set $to (i32.sub (local.get $to) (i32.const 4032)))
        (br $stride)))
    (block $bytes
      (loop $step
        (br_if $bytes
          (i32.lt_s (i32.sub (local.get $to) (local.get $from)) (i32.const 16)))
        (local.set $here
          (call $bits (i32.sub (local.get $to) (i32.const 16))))
        ;; Few enough to be passed over; else they are gone through one by one.
        (br_if $bytes
          (i32.ge_s
            (i32.add (local.get $found) (i32.popcnt (local.get $here)))
            (local.get $n)))
        (local.set $found
          (i32.add (local.get $found) (i32.popcnt (local.get $here))))
        (local.set $to (i32.sub (local.get $to) (i32.const 16)))
        (br $step)))
    (block $none
      (loop $byte
        (br_if $none (i32.le_s (local.get $to) (local.get $from)))
        (local.set $to (i32.sub (local.get $to) (i32.const 1)))
        (local.set $found
          (i32.add (local.get $found) (call $one (local.get $to))))
        (if (i32.eq (local.get $found) (local.get $n))
          (then (return (local.get $to))))
        (br $byte)))
    (i32.xor (local.get $found) (i32.const -1)))

  ;; One if $byte lies in [$from, $to), else zero.
  (func (export "has") (param $from i32) (param $to i32) (param $byte i32)
    (result i32)
    (local $wanted v128)
    (local.set $wanted (i8x16.splat (local.get $byte)))
    (block $rest
      (loop $step
        (br_if $rest
          (i32.lt_s (i32.sub (local.get $to) (local.get $from)) (i32.const 16)))
        (if (v128.any_true
              (i8x16.eq (v128.load (local.get $from)) (local.get $wanted)))
          (then (return (i32.const 1))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $step)))
    (block $none
      (loop $byte
        (br_if $none (i32.ge_s (local.get $from) (local.get $to)))
        (if (i32.eq (i32.load8_u (local.get $from)) (local.get $byte))
          (then (return (i32.const 1))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $byte)))
    (i32.const 0))

  ;; One if a byte beyond ASCII lies in [$from, $to), else zero.
  (func (export "hasHigh") (param $from i32) (param $to i32) (result i32)
    (local $seen v128)
    (block $rest
      (loop $step
        (br_if $rest
          (i32.lt_s (i32.sub (local.get $to) (local.get $from)) (i32.const 16)))
        (local.set $seen
          (v128.or (local.get $seen) (v128.load (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $step)))
    (if (i8x16.bitmask (local.get $seen)) (then (return (i32.const 1))))
    (block $none
      (loop $byte
        (br_if $none (i32.ge_s (local.get $from) (local.get $to)))
        (if (i32.ge_u (i32.load8_u (local.get $from)) (i32.const 128))
          (then (return (i32.const 1))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $byte)))
    (i32.const 0))

  ;; The first place in [$from, $to) of $one with $other at $apart behind it, or -1.
  (func (export "pair") (param $from i32) (param $to i32) (param $one i32)
    (param $other i32) (param $apart i32) (result i32)
    (local $ones v128) (local $others v128) (local $here i32)
    (local.set $ones (i8x16.splat (local.get $one)))
    (local.set $others (i8x16.splat (local.get $other)))
    (block $none
      (loop $step
        (br_if $none (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $here
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (v128.load (local.get $from)) (local.get $ones))
              (i8x16.eq
                (v128.load (i32.add (local.get $from) (local.get $apart)))
                (local.get $others)))))
        (if (local.get $here)
          (then
            (local.set $from
              (i32.add (local.get $from) (i32.ctz (local.get $here))))
            ;; What lies past the end does not count.
            (br_if $none (i32.ge_s (local.get $from) (local.get $to)))
            (return (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $step)))
    (i32.const -1)))
