//! Downscales a picture row by row. Each new pixel is the mean of the area that it covers.

use super::picture::{CHANNELS, Picture, as_rgb};

/// Takes the rows of a picture and builds a smaller one.
#[derive(Debug)]
pub struct Scaler {
    from: (u32, u32),
    to: Picture,
    /// Sums for the target row in progress, and how much of its height they cover.
    sums: Vec<u64>,
    covered: u64,
    /// The current source row, scaled in width.
    row: Vec<u32>,
    rows: u32,
}

impl Scaler {
    /// A scaler to at most `longest` pixels on the longer side. A smaller picture keeps its size.
    pub fn new(width: u32, height: u32, longest: u32) -> Self {
        let (new_width, new_height) = fitting(width, height, longest);
        let values = usize::try_from(new_width).unwrap_or_default() * CHANNELS;
        let rows = usize::try_from(new_height).unwrap_or_default();
        Self {
            from: (width, height),
            to: Picture {
                width: new_width,
                height: new_height,
                rgb: Vec::with_capacity(values * rows),
            },
            sums: vec![0; values],
            covered: 0,
            row: vec![0; values],
            rows: 0,
        }
    }

    /// Adds the next row, from top to bottom, with `channels` bytes per pixel.
    pub fn add(&mut self, row: &[u8], channels: usize) {
        self.rows += 1;
        self.add_in_width(row.chunks_exact(channels).map(as_rgb));
        // In these units, a source row is as high as the target has rows, and a target row as high as the source has rows.
        let (height, full) = (u64::from(self.to.height), u64::from(self.from.1));
        let fits = height.min(full - self.covered);
        self.add_in_height(fits);
        if self.covered == full {
            self.write();
            self.add_in_height(height - fits);
        }
    }

    /// The scaled picture, or `None` unless exactly all rows were added.
    pub fn finish(self) -> Option<Picture> {
        (self.rows == self.from.1).then_some(self.to)
    }

    fn add_in_width(&mut self, pixels: impl Iterator<Item = [u8; CHANNELS]>) {
        self.row.fill(0);
        let (share, full) = (self.to.width, self.from.0);
        let mut covered = 0;
        let mut places = self.row.as_chunks_mut::<CHANNELS>().0.iter_mut();
        let Some(mut place) = places.next() else { return };
        for pixel in pixels {
            let fits = share.min(full - covered);
            add(place, pixel, fits);
            covered += fits;
            if covered == full {
                covered = share - fits;
                let Some(next) = places.next() else { return };
                place = next;
                add(place, pixel, covered);
            }
        }
    }

    fn add_in_height(&mut self, share: u64) {
        for (sum, value) in self.sums.iter_mut().zip(&self.row) {
            *sum += u64::from(*value) * share;
        }
        self.covered += share;
    }

    fn write(&mut self) {
        let area = u64::from(self.from.0) * u64::from(self.from.1);
        let means = self.sums.iter().map(|sum| (sum + area / 2) / area);
        self.to
            .rgb
            .extend(means.map(|mean| u8::try_from(mean).unwrap_or(u8::MAX)));
        self.sums.fill(0);
        self.covered = 0;
    }
}

fn add([red, green, blue]: &mut [u32; CHANNELS], [r, g, b]: [u8; CHANNELS], share: u32) {
    *red += u32::from(r) * share;
    *green += u32::from(g) * share;
    *blue += u32::from(b) * share;
}

/// Scales pixels in memory to at most `longest` on the longer side. `None` if rows are missing.
pub fn scaled(pixels: &[u8], channels: usize, (width, height): (u32, u32), longest: u32) -> Option<Picture> {
    let mut scaler = Scaler::new(width, height, longest);
    let bytes = usize::try_from(width).unwrap_or_default() * channels;
    for row in pixels.chunks_exact(bytes.max(1)) {
        scaler.add(row, channels);
    }
    scaler.finish()
}

fn fitting(width: u32, height: u32, longest: u32) -> (u32, u32) {
    let longer = width.max(height);
    if longer <= longest {
        return (width, height);
    }
    let part = |side: u32| {
        let scaled = (u64::from(side) * u64::from(longest) + u64::from(longer) / 2) / u64::from(longer);
        u32::try_from(scaled).unwrap_or(longest).max(1)
    };
    (part(width), part(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, colour: impl Fn(u32, u32) -> u8) -> Picture {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgb = pixels.flat_map(|(x, y)| [colour(x, y); 3]).collect();
        Picture { width, height, rgb }
    }

    fn scaled(picture: &Picture, longest: u32) -> Picture {
        super::scaled(&picture.rgb, CHANNELS, (picture.width, picture.height), longest).unwrap()
    }

    #[test]
    fn a_new_pixel_is_the_mean_of_what_it_covers() {
        let halved = scaled(
            &picture(4, 2, |x, y| {
                if y == 0 {
                    10 * (u8::try_from(x).unwrap() + 1)
                } else {
                    0
                }
            }),
            2,
        );
        assert_eq!((halved.width, halved.height), (2, 1));
        assert_eq!(halved.rgb, [8, 8, 8, 18, 18, 18]);
        // Three pixels to two: each of the two includes half of the middle one.
        let thirds = scaled(
            &picture(3, 3, |x, _| [0, 90, 255][usize::try_from(x).unwrap()]),
            2,
        );
        assert_eq!(thirds.rgb[..6], [30, 30, 30, 200, 200, 200]);
        assert_eq!(thirds.rgb.len(), 12);
    }

    #[test]
    fn sizes_fit_and_a_plain_picture_stays_plain() {
        for (width, height, expected) in [
            (1600, 900, (1600, 900)),
            (1601, 1, (1600, 1)),
            (4000, 2000, (1600, 800)),
            (3, 65_535, (1, 1600)),
            (1999, 641, (1600, 513)),
        ] {
            let new = scaled(&picture(width, height, |_, _| 200), 1600);
            assert_eq!((new.width, new.height), expected);
            let pixels = usize::try_from(expected.0 * expected.1).unwrap();
            assert_eq!(new.rgb, vec![200; pixels * 3], "{width}x{height}");
        }
    }

    #[test]
    fn a_picture_that_lacks_rows_is_none() {
        let mut scaler = Scaler::new(2, 2, 1);
        scaler.add(&[1; 6], CHANNELS);
        assert_eq!(scaler.finish(), None);
    }
}
