//! Areas around points: each has what is nearer to its point than to any other.

/// A place in a drawing.
pub type Place = (f64, f64);

/// Returns the area of each point inside a rectangle from the origin to a corner.
///
/// Each area begins as the whole rectangle and loses, for every other point, what is nearer to that one. This takes time by
/// the square of the number of points, which is nothing for a city's.
pub fn areas(points: &[Place], corner: Place) -> Vec<Vec<Place>> {
    let rectangle = vec![(0.0, 0.0), (corner.0, 0.0), corner, (0.0, corner.1)];
    points
        .iter()
        .map(|&point| {
            let others = points.iter().filter(|&&other| other != point);
            others.fold(rectangle.clone(), |area, &other| nearer(&area, point, other))
        })
        .collect()
}

/// Returns the middle of an area; `None` if it is empty.
pub fn middle(area: &[Place]) -> Option<Place> {
    let edges = area.iter().zip(area.iter().cycle().skip(1));
    let (size, x, y) = edges.fold((0.0, 0.0, 0.0), |(size, x, y), (from, to)| {
        let part = from.0 * to.1 - to.0 * from.1;
        (
            size + part,
            x + (from.0 + to.0) * part,
            y + (from.1 + to.1) * part,
        )
    });
    (size != 0.0).then(|| (x / (3.0 * size), y / (3.0 * size)))
}

/// Returns the part of a convex area that is nearer to `point` than to `other`.
fn nearer(area: &[Place], point: Place, other: Place) -> Vec<Place> {
    // Positive on the side of `point`: a plane through the middle, at a right angle to the line between both.
    let (across, up) = (point.0 - other.0, point.1 - other.1);
    let middle = (f64::midpoint(point.0, other.0), f64::midpoint(point.1, other.1));
    let side = |place: Place| (place.0 - middle.0) * across + (place.1 - middle.1) * up;
    let mut kept = Vec::with_capacity(area.len() + 1);
    for (&from, &to) in area.iter().zip(area.iter().cycle().skip(1)) {
        let (here, there) = (side(from), side(to));
        if here >= 0.0 {
            kept.push(from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let share = here / (here - there);
            kept.push((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_fill_the_rectangle() {
        let points = [(1.0, 1.0), (3.0, 1.0), (2.0, 3.5), (2.5, 2.0)];
        let areas = areas(&points, (4.0, 4.0));
        let size = |area: &Vec<Place>| {
            let edges = area.iter().zip(area.iter().cycle().skip(1));
            edges.map(|(from, to)| from.0 * to.1 - to.0 * from.1).sum::<f64>() / 2.0
        };
        let sizes: Vec<f64> = areas.iter().map(size).collect();
        assert!((sizes.iter().sum::<f64>() - 16.0).abs() < 1e-9, "{sizes:?}");
        assert!(sizes.iter().all(|&size| size > 1.0), "{sizes:?}");
    }

    #[test]
    fn the_middle_is_where_an_area_balances() {
        assert_eq!(
            middle(&[(1.0, 1.0), (3.0, 1.0), (3.0, 5.0), (1.0, 5.0)]),
            Some((2.0, 3.0))
        );
        assert_eq!(middle(&[(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)]), Some((1.0, 1.0)));
        assert_eq!(middle(&[]), None);
    }

    #[test]
    fn two_points_share_in_halves() {
        let areas = areas(&[(1.0, 1.0), (3.0, 1.0)], (4.0, 2.0));
        assert_eq!(
            areas,
            [
                vec![(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)],
                vec![(2.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0)],
            ]
        );
    }
}
